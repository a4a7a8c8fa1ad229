import { ApiKeyId } from '../contract/ids.ts'
import { type ApiKey, CreateApiKey } from '../contract/workspace.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../server/domain/workspaces/api-keys.ts'
import { argumentValue, type Flags, flagValue, parseFlags, UsageError } from './arguments.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

export async function keys(argv: string[]): Promise<number> {
  const { flags, positionals } = parseFlags(argv, ['workspace', 'scopes'])
  const [verb, subject = '', ...extra] = positionals
  if (!['list', 'create', 'rotate', 'revoke'].includes(verb ?? '') || extra.length > 0) {
    throw new UsageError('Expected list, create NAME, rotate KEY_ID or revoke KEY_ID.')
  }
  if (verb === 'create' && subject === '') throw new UsageError('Expected a name: keys create NAME.')
  if ((verb === 'rotate' || verb === 'revoke') && !ApiKeyId.safeParse(subject).success) {
    throw new UsageError('Expected a key id (key_…). Run handrail keys list to see them.')
  }
  if (flags.scopes !== undefined && verb !== 'create') {
    throw new UsageError('--scopes can only be used with create: the scopes of a key cannot be changed.')
  }
  const input = verb === 'create' ? newKey(subject, flags) : undefined
  await withService(async (service) => {
    const actor = operator(await findWorkspaceId(service, flags.workspace as string | undefined))
    if (verb === 'list') {
      const apiKeys = await listApiKeys(service, actor)
      print(
        flags,
        { apiKeys },
        apiKeys.length === 0 ? ['No API keys yet. Run handrail keys create NAME.'] : apiKeys.map(describe),
      )
    } else if (verb === 'revoke') {
      await revokeApiKey(service, actor, subject)
      print(flags, { keyId: subject, revoked: true }, [`${subject} was revoked.`])
    } else {
      const created = input
        ? await createApiKey(service, actor, input)
        : await rotateApiKey(service, actor, subject)
      print(flags, created, [
        `${created.keyId}  ${created.key}`,
        'This key is shown only once. Store it now.',
        ...(created.oldSecretUntil
          ? [
              `The old secret stays valid until ${created.oldSecretUntil}. If it has leaked, revoke the key and create another.`,
            ]
          : []),
      ])
    }
  })
  return 0
}

function newKey(name: string, { scopes }: Flags): CreateApiKey {
  const wanted = typeof scopes === 'string' ? scopes.split(/[ ,]+/) : undefined
  return {
    name: argumentValue('NAME', CreateApiKey.shape.name, name),
    scopes: flagValue('scopes', CreateApiKey.shape.scopes, wanted),
  }
}

function describe(key: ApiKey): string {
  const state = key.revokedAt
    ? `revoked ${key.revokedAt}`
    : key.lastUsedAt
      ? `used ${key.lastUsedAt}`
      : 'never used'
  return `${key.keyId}  ${key.firstCharacters}…${key.lastFour}  ${state}  ${key.scopes.join(',')}  ${key.name}`
}
