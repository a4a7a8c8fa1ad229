import { sql } from 'kysely'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { Database, Transaction } from '../engine/database.ts'

export type NewGrant = {
  id: string
  userId: string
  clientId: string
  clientName: string
  clientAddress: string
  isVerified: boolean
  scopes: KeyScope[]
}

export async function allowsApps(tx: Transaction): Promise<boolean> {
  const workspace = await selectAllowsApps(tx).executeTakeFirst()
  return workspace?.allowsApps === true
}

/**
 * Locked until the transaction ends, so that a concurrent change of the setting waits and then sees
 * the new grant.
 */
export async function lockAllowsApps(tx: Transaction): Promise<boolean> {
  const workspace = await selectAllowsApps(tx).forShare().executeTakeFirst()
  return workspace?.allowsApps === true
}

function selectAllowsApps(tx: Transaction) {
  return tx.db.selectFrom('workspaces').select('allowsApps').where('id', '=', tx.workspaceId)
}

/** Returns false if the setting already had this value. */
export async function setAllowsApps(tx: Transaction, allowed: boolean): Promise<boolean> {
  const changed = await tx.db
    .updateTable('workspaces')
    .set({ allowsApps: allowed, updatedAt: sql<Date>`app_now()` })
    .where('id', '=', tx.workspaceId)
    .where('allowsApps', '=', !allowed)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/**
 * Returns the id of the grant. An active grant of the same person and client is updated and keeps
 * its id.
 */
export async function saveGrant(tx: Transaction, grant: NewGrant): Promise<string> {
  const { id, userId, clientId, clientName, clientAddress, isVerified, scopes } = grant
  const { rows } = await sql<{ id: string }>`
    INSERT INTO oauth_grants (id, workspace_id, user_id, client_id, client_name, client_address, is_verified, scopes)
    VALUES (${id}, ${tx.workspaceId}, ${userId}, ${clientId}, ${clientName}, ${clientAddress}, ${isVerified}, ${scopes})
    ON CONFLICT (workspace_id, user_id, client_id) WHERE revoked_at IS NULL
    DO UPDATE SET client_name = excluded.client_name, client_address = excluded.client_address,
      is_verified = excluded.is_verified, scopes = excluded.scopes, created_at = app_now()
    RETURNING id`.execute(tx.db)
  return rows[0]!.id
}

export type RevokedGrant = { id: string; clientName: string }

/** Revokes the active grants that match all conditions. Their tokens stop working and are deleted later. */
export async function revokeGrants(
  tx: Transaction,
  { grantId, userId }: { grantId?: string; userId?: string },
): Promise<RevokedGrant[]> {
  let query = tx.db
    .updateTable('oauthGrants')
    .set({ revokedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('revokedAt', 'is', null)
  if (grantId !== undefined) query = query.where('id', '=', grantId)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  return await query.returning(['id', 'clientName']).execute()
}

export type GrantRow = NewGrant & {
  userName: string
  userEmail: string
  createdAt: Date
  lastUsedAt: Date | null
  endsAt: Date
}

/** Grants that can still be used, newest first: those with a refresh token that has not expired. */
export async function listGrants(tx: Transaction): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    SELECT g.id, g.user_id, u.name AS user_name, u.email AS user_email, g.client_id, g.client_name, g.client_address,
      g.is_verified, g.scopes, g.created_at, g.last_used_at, t.ends_at
    FROM oauth_grants g
    JOIN users u ON u.id = g.user_id
    JOIN LATERAL (SELECT max(expires_at) AS ends_at FROM oauth_tokens
      WHERE grant_id = g.id AND kind = 'refresh' AND used_at IS NULL AND expires_at > app_now()) t ON t.ends_at IS NOT NULL
    WHERE g.workspace_id = ${tx.workspaceId} AND g.revoked_at IS NULL
    ORDER BY g.created_at DESC, g.id DESC`.execute(tx.db)
  return rows
}

/** Stores the time of the last use, at most once per minute, like `markApiKeyUsed`. */
export async function markGrantUsed(tx: Transaction, grantId: string): Promise<void> {
  await sql`
    UPDATE oauth_grants SET last_used_at = app_now()
    WHERE workspace_id = ${tx.workspaceId} AND id = ${grantId}
      AND (last_used_at IS NULL OR last_used_at < app_now() - interval '1 minute')`.execute(tx.db)
}

/** The workspace of a code or token. Reads with `lookup` rights, because it is not known before. */
export async function findTokenWorkspace(database: Database, digest: string): Promise<string | undefined> {
  const [token] = await database
    .statementAs('lookup')
    .prepared<{ workspaceId: string }>('find-oauth-token', 'SELECT * FROM find_oauth_token($1)', [digest])
  return token?.workspaceId
}

export type StoredToken = {
  kind: 'code' | 'access' | 'refresh'
  grantId: string
  clientId: string
  scopes: KeyScope[]
  redirectUri: string | null
  codeChallenge: string | null
  /** Null: not used yet. */
  usedSecondsAgo: number | null
  isExpired: boolean
  isRevoked: boolean
}

/**
 * A token with its grant, locked until the transaction ends, so that the second of two concurrent
 * uses sees the first.
 */
export async function lockToken(tx: Transaction, digest: string): Promise<StoredToken | undefined> {
  const { rows } = await sql<StoredToken>`
    SELECT t.kind, t.grant_id, g.client_id, g.scopes, t.redirect_uri, t.code_challenge,
      extract(epoch FROM app_now() - t.used_at)::float8 AS used_seconds_ago,
      t.expires_at <= app_now() AS is_expired, g.revoked_at IS NOT NULL AS is_revoked
    FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
    WHERE t.workspace_id = ${tx.workspaceId} AND t.digest = ${digest}
    FOR UPDATE`.execute(tx.db)
  return rows[0]
}

export async function markTokenUsed(tx: Transaction, digest: string): Promise<void> {
  await sql`
    UPDATE oauth_tokens SET used_at = coalesce(used_at, app_now())
    WHERE workspace_id = ${tx.workspaceId} AND digest = ${digest}`.execute(tx.db)
}

export type NewToken = {
  digest: string
  kind: StoredToken['kind']
  grantId: string
  seconds: number
  redirectUri?: string
  codeChallenge?: string
}

export async function insertToken(tx: Transaction, token: NewToken): Promise<void> {
  const { digest, kind, grantId, seconds, redirectUri = null, codeChallenge = null } = token
  await sql`
    INSERT INTO oauth_tokens (digest, kind, grant_id, workspace_id, expires_at, redirect_uri, code_challenge)
    VALUES (${digest}, ${kind}, ${grantId}, ${tx.workspaceId}, app_now() + make_interval(secs => ${seconds}),
      ${redirectUri}, ${codeChallenge})`.execute(tx.db)
}

export async function deleteToken(tx: Transaction, digest: string): Promise<void> {
  await tx.db
    .deleteFrom('oauthTokens')
    .where('workspaceId', '=', tx.workspaceId)
    .where('digest', '=', digest)
    .execute()
}

/** Deletes up to `limit` expired tokens of all workspaces. Returns how many. */
export async function deleteExpiredTokens(database: Database, limit: number): Promise<number> {
  return await database.allWorkspaces(async (db) => {
    const { numAffectedRows } = await sql`
      DELETE FROM oauth_tokens WHERE digest IN (
        SELECT digest FROM oauth_tokens WHERE expires_at <= app_now() LIMIT ${limit})`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}
