import {
  type ApiKey,
  type ApiKeyWithSecret,
  type CreateApiKey,
  type KeyScope,
  keyScopes,
} from '../../../contract/api-key.ts'
import type { AuditAction } from '../../../contract/audit.ts'
import { digestCredential, newApiKey } from '../../lib/credential-format.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import {
  type ApiKeyRow,
  insertApiKey,
  listApiKeys as listApiKeyRows,
  lockApiKey,
  revokeApiKey as revokeApiKeyRow,
  rotateApiKey as rotateApiKeyRow,
  setKeyExpiry,
} from '../../storage/people/api-keys.ts'
import { findWorkspace } from '../../storage/people/workspaces.ts'
import { type AdminActor, requireRole } from '../actor.ts'
import { invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'

const overlapSecondsDefault = 86_400
const dayMilliseconds = 86_400_000

export async function createApiKey(
  { database, secrets }: Service,
  actor: AdminActor,
  input: CreateApiKey,
): Promise<ApiKeyWithSecret> {
  requireRole(actor, 'admin')
  const { apps = null, types = null, cidrs = null } = input
  const id = newId('apiKey')
  const key = newApiKey()
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const { maxKeyDays, defaultKeyScopes } = (await findWorkspace(tx))!
    const expiresAt = expiryOf(input.expiresAt, maxKeyDays, await readClock(tx))
    const scopes = sortScopes(input.scopes ?? defaultKeyScopes)
    await insertApiKey(
      tx,
      { id, name: input.name, scopes, apps, types, cidrs, createdBy: actor.id, expiresAt },
      secretOf(key, secrets.apiKeyPepper, actor.id),
    )
    await audit(tx, actor, 'api_key.created', id, {
      scopes: scopes.join(' '),
      ...presentKeyLimits({ apps, types, cidrs }),
    })
    return { ...(await requireKey(tx, id)), key }
  })
}

export async function listApiKeys({ database }: Service, actor: AdminActor): Promise<ApiKey[]> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const { maxKeyDays } = (await findWorkspace(tx))!
    const now = await readClock(tx)
    return (await listApiKeyRows(tx)).map((row) => present(row, maxKeyDays, now))
  })
}

/**
 * The key keeps its id, and its old secret works until the overlap ends. If the key lives longer
 * than the workspace allows today, its expiry is brought forward.
 */
export async function rotateApiKey(
  { database, secrets }: Service,
  actor: AdminActor,
  keyId: string,
  overlapSeconds = overlapSecondsDefault,
): Promise<ApiKeyWithSecret> {
  requireRole(actor, 'admin')
  const key = newApiKey()
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await lockApiKey(tx, keyId)
    const before = await requireKey(tx, keyId)
    if (before.revokedAt)
      throw invalidRequest([{ path: 'keyId', message: 'This key was revoked. Create a new one.' }])
    const now = await readClock(tx)
    if (before.expiresAt && new Date(before.expiresAt) <= now)
      throw invalidRequest([{ path: 'keyId', message: 'This key has expired. Create a new one.' }])
    const { maxKeyDays } = (await findWorkspace(tx))!
    if (before.exceedsMaxLifetime) await setKeyExpiry(tx, keyId, latestExpiry(maxKeyDays!, now))
    await rotateApiKeyRow(tx, keyId, secretOf(key, secrets.apiKeyPepper, actor.id), overlapSeconds)
    await audit(tx, actor, 'api_key.rotated', keyId)
    return { ...(await requireKey(tx, keyId)), key }
  })
}

/** Idempotent: revoking a revoked key changes nothing and is not audited again. */
export async function revokeApiKey({ database }: Service, actor: AdminActor, keyId: string): Promise<void> {
  requireRole(actor, 'admin')
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireKey(tx, keyId)
    if (await revokeApiKeyRow(tx, keyId)) await audit(tx, actor, 'api_key.revoked', keyId)
  })
}

/** In the order of the contract, without duplicates. */
export function sortScopes(scopes: KeyScope[]): KeyScope[] {
  return keyScopes.filter((scope) => scopes.includes(scope))
}

/** When a new key expires: as requested, otherwise as late as the workspace allows. null: never. */
function expiryOf(wanted: string | undefined, maxKeyDays: number | null, now: Date): Date | null {
  const latest = maxKeyDays === null ? null : latestExpiry(maxKeyDays, now)
  if (wanted === undefined) return latest
  const expiresAt = new Date(wanted)
  if (expiresAt <= now) throw invalidRequest([{ path: 'expiresAt', message: 'Must be in the future.' }])
  if (latest && expiresAt > latest) {
    const message = `Must be within ${maxKeyDays} days: this workspace does not allow a longer lifetime.`
    throw invalidRequest([{ path: 'expiresAt', message }])
  }
  return expiresAt
}

function latestExpiry(maxKeyDays: number, now: Date): Date {
  return new Date(now.getTime() + maxKeyDays * dayMilliseconds)
}

/** Whether the key lives longer than the workspace allows today: it was created before this limit was set. */
function exceedsMaxLifetime(
  { expiresAt, revokedAt }: ApiKeyRow,
  maxKeyDays: number | null,
  now: Date,
): boolean {
  if (maxKeyDays === null || revokedAt) return false
  return expiresAt === null || expiresAt > latestExpiry(maxKeyDays, now)
}

function secretOf(key: string, pepper: string, createdBy: string) {
  return {
    digest: digestCredential(key, pepper),
    firstCharacters: key.slice(0, 8),
    lastFour: key.slice(-4),
    createdBy,
  }
}

async function requireKey(tx: Transaction, keyId: string): Promise<ApiKey> {
  const [row] = await listApiKeyRows(tx, keyId)
  if (!row) throw notFound('API key')
  return present(row, (await findWorkspace(tx))!.maxKeyDays, await readClock(tx))
}

function audit(
  tx: Transaction,
  actor: AdminActor,
  action: AuditAction,
  keyId: string,
  details?: Record<string, unknown>,
): Promise<void> {
  return appendAudit(tx, {
    actor: actor.id,
    from: actor.from,
    action,
    subject: keyId,
    ...(details && { details }),
  })
}

export function presentKeyLimits({ apps, types, cidrs }: Pick<ApiKeyRow, 'apps' | 'types' | 'cidrs'>) {
  return { ...(apps && { apps }), ...(types && { types }), ...(cidrs && { cidrs }) }
}

function present(row: ApiKeyRow, maxKeyDays: number | null, now: Date): ApiKey {
  return {
    keyId: row.id,
    name: row.name,
    firstCharacters: row.firstCharacters,
    lastFour: row.lastFour,
    scopes: row.scopes,
    ...presentKeyLimits(row),
    createdBy: row.createdByName,
    createdAt: row.createdAt.toISOString(),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.toISOString() }),
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.revokedAt && { revokedAt: row.revokedAt.toISOString() }),
    ...(exceedsMaxLifetime(row, maxKeyDays, now) && { exceedsMaxLifetime: true }),
    ...(row.oldSecretUntil && { oldSecretUntil: row.oldSecretUntil.toISOString() }),
  }
}
