import { sql } from 'kysely'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { Database, Transaction } from '../engine/database.ts'

export type KeyOwner = KeyLimitRow & {
  /** `key_…`, or `grt_…` for a connected app. */
  keyId: string
  workspaceId: string
  workspaceName: string
  name: string
  scopes: KeyScope[]
  /** When the secret or token expires, so that a cached owner is not used for longer. */
  validUntil: Date | null
}

/**
 * The owner of the secret of an API key, or of the token of a connected app. Undefined if the
 * secret or token is not valid. Reads with `lookup` rights, because the workspace is not known yet.
 */
export async function findOwnerByDigest(database: Database, digest: string): Promise<KeyOwner | undefined> {
  const [owner] = await database
    .statementAs('lookup')
    .prepared<KeyOwner>('find-api-key', 'SELECT * FROM find_api_key($1)', [digest])
  return owner
}

/** Returns those of the digests that are still valid. */
export async function listValidDigests(database: Database, digests: string[]): Promise<string[]> {
  const rows = await database.statementAs('lookup').prepared<{ digest: string }>(
    'valid-digests',
    `SELECT wanted.digest FROM unnest($1::text[]) AS wanted (digest)
     WHERE EXISTS (SELECT FROM find_api_key(wanted.digest))`,
    [digests],
  )
  return rows.map(({ digest }) => digest)
}

export type NewSecret = { digest: string; firstCharacters: string; lastFour: string; createdBy: string }

export type NewApiKey = Pick<ApiKeyRow, 'id' | 'name' | 'scopes' | 'expiresAt'> &
  KeyLimitRow & {
    /** Id of the person, or `service` for the command line. */
    createdBy: string
  }

export async function insertApiKey(tx: Transaction, key: NewApiKey, secret: NewSecret): Promise<void> {
  await tx.db
    .insertInto('apiKeys')
    .values({ ...key, workspaceId: tx.workspaceId, revokedAt: null, lastUsedAt: null })
    .execute()
  await insertSecret(tx, key.id, secret)
}

async function insertSecret(tx: Transaction, keyId: string, secret: NewSecret): Promise<void> {
  await tx.db
    .insertInto('apiKeySecrets')
    .values({ ...secret, keyId, workspaceId: tx.workspaceId, expiresAt: null })
    .execute()
}

/** Locks the key, so that its rotations wait for each other. Does nothing if there is no such key. */
export async function lockApiKey(tx: Transaction, keyId: string): Promise<void> {
  await sql`SELECT FROM api_keys WHERE workspace_id = ${tx.workspaceId} AND id = ${keyId} FOR UPDATE`.execute(
    tx.db,
  )
}

/**
 * Adds a secret. The current one expires after the overlap, and older ones are deleted, so a key
 * has at most two valid secrets. The caller has locked the key: otherwise a rotation would not see
 * the secret of a concurrent one.
 */
export async function rotateApiKey(
  tx: Transaction,
  keyId: string,
  secret: NewSecret,
  overlapSeconds: number,
): Promise<void> {
  await tx.db
    .deleteFrom('apiKeySecrets')
    .where('workspaceId', '=', tx.workspaceId)
    .where('keyId', '=', keyId)
    .where('expiresAt', 'is not', null)
    .execute()
  await tx.db
    .updateTable('apiKeySecrets')
    .set({ expiresAt: sql<Date>`app_now() + make_interval(secs => ${overlapSeconds})` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('keyId', '=', keyId)
    .execute()
  await insertSecret(tx, keyId, secret)
}

export async function setKeyExpiry(tx: Transaction, keyId: string, expiresAt: Date): Promise<void> {
  await tx.db
    .updateTable('apiKeys')
    .set({ expiresAt })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', keyId)
    .execute()
}

export async function findKeyCreator(tx: Transaction, keyId: string): Promise<string | undefined> {
  const key = await tx.db
    .selectFrom('apiKeys')
    .select('createdBy')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return key?.createdBy
}

/** Returns false if there is no such key or it was revoked before. */
export async function revokeApiKey(tx: Transaction, keyId: string): Promise<boolean> {
  const revoked = await tx.db
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

/**
 * Stores the time of the last use, at most once per minute, so that the row of a busy key is not a
 * bottleneck.
 */
export async function markApiKeyUsed(tx: Transaction, keyId: string): Promise<void> {
  await sql`
    UPDATE api_keys SET last_used_at = app_now()
    WHERE workspace_id = ${tx.workspaceId} AND id = ${keyId}
      AND (last_used_at IS NULL OR last_used_at < app_now() - interval '1 minute')`.execute(tx.db)
}

/** The tasks that a key may see and create, and the networks it may be used from. Null: not limited. */
type KeyLimitRow = { apps: string[] | null; types: string[] | null; cidrs: string[] | null }

export type ApiKeyRow = KeyLimitRow & {
  id: string
  name: string
  firstCharacters: string
  lastFour: string
  scopes: KeyScope[]
  /** Email address of the member; their id if they are no longer a member, `service` for the command line. */
  createdByName: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  oldSecretUntil: Date | null
}

export async function listApiKeys(tx: Transaction, keyId?: string): Promise<ApiKeyRow[]> {
  const one = keyId === undefined ? sql`` : sql`AND k.id = ${keyId}`
  const { rows } = await sql<ApiKeyRow>`
    SELECT k.id, k.name, s.first_characters, s.last_four, k.scopes, k.apps, k.types, k.cidrs, coalesce(u.email, k.created_by) AS created_by_name,
      k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
      (SELECT least(max(o.expires_at), k.expires_at) FROM api_key_secrets o WHERE o.key_id = k.id AND o.expires_at > app_now()) AS old_secret_until
    FROM api_keys k
    JOIN api_key_secrets s ON s.key_id = k.id AND s.expires_at IS NULL
    LEFT JOIN users u ON u.id = k.created_by
    WHERE k.workspace_id = ${tx.workspaceId} ${one}
    ORDER BY k.created_at DESC, k.id DESC`.execute(tx.db)
  return rows
}
