import { type ApiKey, CreateApiKey } from '../contract/api-key.ts'
import { ApiKeyId } from '../contract/ids.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../server/domain/workspaces/api-keys.ts'
import { operator } from '../server/domain/workspaces/operator.ts'
import { argumentValue, type Flags, flagValue, parseArguments, UsageError } from './arguments.ts'
import { findWorkspaceId, print, withService } from './with-service.ts'

/** Flags of `keys create` only: what a key may do cannot be changed later. */
const createFlags = ['scopes', 'apps', 'types', 'cidrs']

export async function keys(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, ['workspace', ...createFlags])
  const [verb, subject = '', ...extra] = positionals
  if (!['list', 'create', 'rotate', 'revoke'].includes(verb ?? '') || extra.length > 0) {
    throw new UsageError('Expected list, create NAME, rotate KEY_ID or revoke KEY_ID.')
  }
  if (verb === 'list' && subject !== '') throw new UsageError('Expected nothing after keys list.')
  if (verb === 'create' && subject === '') throw new UsageError('Expected a name: keys create NAME.')
  if ((verb === 'rotate' || verb === 'revoke') && !ApiKeyId.safeParse(subject).success) {
    throw new UsageError('Expected a key id (key_…). Run handrail keys list to see them.')
  }
  const misplaced = createFlags.find((flag) => flags[flag] !== undefined)
  if (misplaced !== undefined && verb !== 'create') {
    throw new UsageError(`--${misplaced} can only be used with create: what a key may do cannot be changed.`)
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

function newKey(name: string, flags: Flags): CreateApiKey {
  const { shape } = CreateApiKey
  return {
    name: argumentValue('NAME', shape.name, name),
    scopes: flagValue('scopes', shape.scopes, listIn(flags.scopes)),
    apps: flagValue('apps', shape.apps, listIn(flags.apps)),
    types: flagValue('types', shape.types, listIn(flags.types)),
    cidrs: flagValue('cidrs', shape.cidrs, listIn(flags.cidrs)),
  }
}

function listIn(flag: Flags[string]): string[] | undefined {
  if (typeof flag !== 'string') return undefined
  return flag.split(',').map((value) => value.trim())
}

function describe(key: ApiKey): string {
  const limits = [
    ...(key.apps ? [`apps: ${key.apps.join(', ')}`] : []),
    ...(key.types ? [`types: ${key.types.join(', ')}`] : []),
    ...(key.cidrs ? [`networks: ${key.cidrs.join(', ')}`] : []),
  ]
  const limited = limits.length > 0 ? `  (${limits.join('; ')})` : ''
  return `${key.keyId}  ${key.firstCharacters}…${key.lastFour}  ${stateOf(key)}  ${key.scopes.join(',')}  ${key.name}${limited}`
}

function stateOf({ revokedAt, expiresAt, lastUsedAt, exceedsMaxLifetime }: ApiKey): string {
  if (revokedAt) return `revoked ${revokedAt}`
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return `expired ${expiresAt}`
  return [
    lastUsedAt ? `used ${lastUsedAt}` : 'never used',
    ...(expiresAt ? [`expires ${expiresAt}`] : []),
    ...(exceedsMaxLifetime ? ['valid for longer than the workspace allows: rotate it'] : []),
  ].join(', ')
}
