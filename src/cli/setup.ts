import { Email } from '../contract/field.ts'
import { Password, PersonName, WorkspaceName } from '../contract/workspace.ts'
import { findWorkspacesByName, setUpWorkspace } from '../server/domain/workspaces/operator.ts'
import { flagValue, parseFlags, requireFlag } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function setup(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['workspace', 'email', 'password', 'name'])
  const email = flagValue('email', Email, requireFlag(flags, 'email'))
  const input = {
    workspace: flagValue('workspace', WorkspaceName, requireFlag(flags, 'workspace')),
    email,
    password: flagValue('password', Password, requireFlag(flags, 'password')),
    name: flagValue('name', PersonName, flags.name ?? email.split('@')[0]),
  }
  const { existed, result, publicUrl } = await withService(
    async (service) => ({
      existed: (await findWorkspacesByName(service, input.workspace)).length > 0,
      result: await setUpWorkspace(service, input),
      publicUrl: service.publicUrl,
    }),
    { canCreateDatabase: true },
  )
  const url = `${publicUrl}/w/${result.workspaceId}/inbox`
  print(flags, { ...result, url }, [
    `Workspace       ${input.workspace} (${result.workspaceId})`,
    `Inbox           ${url}`,
    `Sign in as      ${result.email}`,
    `API key         ${result.apiKey}`,
    `Webhook secret  ${result.webhookSecret}`,
    ...(existed
      ? ['The workspace already existed, so no owner was created. This person is a member of it.']
      : []),
    'The key is shown only once. Store it now.',
  ])
  return 0
}
