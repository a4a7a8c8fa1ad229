import { z } from 'zod'
import { ApiKeyId } from '../contract/ids.ts'
import { type ApiKey, CreateApiKey, KeyScope } from '../contract/workspace.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../server/domain/workspaces/api-keys.ts'
import { type Flags, parseFlags, UsageError } from './arguments.ts'
import { check } from './setup.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

export async function keys(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['workspace', 'scopes'])
  const [verb, subject = '', ...more] = words
  if (!['list', 'create', 'rotate', 'revoke'].includes(verb ?? '') || more.length > 0) {
    throw new UsageError('Say list, create NAME, rotate KEY_ID or revoke KEY_ID.')
  }
  if ((verb === 'rotate' || verb === 'revoke') && !ApiKeyId.safeParse(subject).success) {
    throw new UsageError('A key id is needed, key_…; handrail keys list shows them.')
  }
  if (flags.scopes !== undefined && verb !== 'create') {
    throw new UsageError('--scopes belongs to create: what a key may do is never changed.')
  }
  const input = verb === 'create' ? newKey(subject, flags) : undefined
  await withService(async (service) => {
    const actor = operator(await findWorkspaceId(service, flags.workspace as string | undefined))
    if (verb === 'list') {
      const apiKeys = await listApiKeys(service, actor)
      print(flags, { apiKeys }, apiKeys.length === 0 ? ['No API keys yet.'] : apiKeys.map(describe))
    } else if (verb === 'revoke') {
      await revokeApiKey(service, actor, subject)
      print(flags, { keyId: subject, revoked: true }, [`${subject} is revoked.`])
    } else {
      const made = input
        ? await createApiKey(service, actor, input)
        : await rotateApiKey(service, actor, subject)
      print(flags, made, [`${made.keyId}  ${made.key}`, 'You see this key once. Store it now.'])
    }
  })
  return 0
}

function newKey(name: string, { scopes }: Flags): CreateApiKey {
  const wanted = typeof scopes === 'string' ? scopes.split(/[ ,]+/) : undefined
  check('scopes', z.array(KeyScope).optional().safeParse(wanted))
  return check('name', CreateApiKey.safeParse({ name, scopes: wanted }))
}

function describe(key: ApiKey): string {
  const state = key.revokedAt
    ? `revoked ${key.revokedAt}`
    : key.lastUsedAt
      ? `used ${key.lastUsedAt}`
      : 'never used'
  return `${key.keyId}  ${key.firstCharacters}…${key.lastFour}  ${state}  ${key.scopes.join(',')}  ${key.name}`
}
