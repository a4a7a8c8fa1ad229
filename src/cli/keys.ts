import { ApiKeyId } from '../contract/ids.ts'
import { type ApiKey, CreateApiKey } from '../contract/workspace.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../server/domain/workspaces/api-keys.ts'
import { readFlags, UsageError } from './arguments.ts'
import { check } from './setup.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

export async function keys(argv: string[]): Promise<number> {
  const { flags, words } = readFlags(argv, ['workspace'])
  const [verb, subject = '', ...more] = words
  if (!['list', 'create', 'rotate', 'revoke'].includes(verb ?? '') || more.length > 0) {
    throw new UsageError('Say list, create NAME, rotate KEY_ID or revoke KEY_ID.')
  }
  if ((verb === 'rotate' || verb === 'revoke') && !ApiKeyId.safeParse(subject).success) {
    throw new UsageError('A key id is needed, key_…; handrail keys list shows them.')
  }
  await withService(async (service) => {
    const actor = operator(await findWorkspaceId(service, flags.workspace as string | undefined))
    if (verb === 'list') {
      const apiKeys = await listApiKeys(service, actor)
      print(flags, { apiKeys }, apiKeys.length === 0 ? ['No API keys yet.'] : apiKeys.map(describe))
    } else if (verb === 'revoke') {
      await revokeApiKey(service, actor, subject)
      print(flags, { keyId: subject, revoked: true }, [`${subject} is revoked.`])
    } else {
      const made =
        verb === 'create'
          ? await createApiKey(service, actor, check('name', CreateApiKey.safeParse({ name: subject })))
          : await rotateApiKey(service, actor, subject)
      print(flags, made, [`${made.keyId}  ${made.key}`, 'You see this key once. Store it now.'])
    }
  })
  return 0
}

function describe(key: ApiKey): string {
  const state = key.revokedAt
    ? `revoked ${key.revokedAt}`
    : key.lastUsedAt
      ? `used ${key.lastUsedAt}`
      : 'never used'
  return `${key.keyId}  ${key.firstCharacters}…${key.lastFour}  ${state}  ${key.name}`
}
