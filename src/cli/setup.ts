import { Email } from '../contract/field.ts'
import { Password, PersonName, WorkspaceName } from '../contract/workspace.ts'
import { setUpWorkspace } from '../server/domain/workspaces/operator.ts'
import { parseFlags, required, UsageError } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function setup(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['workspace', 'email', 'password', 'name'])
  const email = check('email', Email.safeParse(required(flags, 'email')))
  const input = {
    workspace: check('workspace', WorkspaceName.safeParse(required(flags, 'workspace'))),
    email,
    password: check('password', Password.safeParse(required(flags, 'password'))),
    name: check('name', PersonName.safeParse(flags.name ?? email.split('@')[0])),
  }
  const result = await withService((service) => setUpWorkspace(service, input), { mayMake: true })
  print(flags, result, [
    `Workspace       ${input.workspace} (${result.workspaceId})`,
    `Sign in as      ${result.email}`,
    `API key         ${result.apiKey}`,
    `Webhook secret  ${result.webhookSecret}`,
    'You see the key once. Store it now.',
  ])
  return 0
}

type Verdict<T> = { success: true; data: T } | { success: false; error: { issues: { message: string }[] } }

export function check<T>(flag: string, verdict: Verdict<T>): T {
  if (verdict.success) return verdict.data
  throw new UsageError(`--${flag}: ${verdict.error.issues[0]!.message}`)
}
