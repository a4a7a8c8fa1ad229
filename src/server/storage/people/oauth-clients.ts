import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

// Clients do not belong to a workspace, so queries use `database.owner`.

export type OAuthClient = {
  id: string
  name: string
  redirectUris: string[]
  /** When its metadata document was read. Null: the client registered itself. */
  documentReadAt: Date | null
}

export function findOAuthClient(database: Database, id: string): Promise<OAuthClient | undefined> {
  return database.owner
    .selectFrom('oauthClients')
    .select(['id', 'name', 'redirectUris', 'documentReadAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Whether the metadata document was read within the last `seconds`. */
export async function isDocumentFresh(database: Database, id: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM oauth_clients
    WHERE id = ${id} AND document_read_at > app_now() - make_interval(secs => ${seconds})`.execute(
    database.owner,
  )
  return rows.length > 0
}

type NewClient = { id: string; name: string; redirectUris: string[]; hasDocument: boolean }

/**
 * Adds a client, or updates the one with the same metadata document. Of the clients that nobody has
 * allowed, keeps only the newest `maxUnused`: anyone can register, and refusing would let a flood
 * lock out everyone else.
 */
export async function saveOAuthClient(
  database: Database,
  { id, name, redirectUris, hasDocument }: NewClient,
  maxUnused: number,
): Promise<void> {
  await sql`
    INSERT INTO oauth_clients (id, name, redirect_uris, document_read_at)
    VALUES (${id}, ${name}, ${redirectUris}, CASE WHEN ${hasDocument} THEN app_now() END)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
      document_read_at = excluded.document_read_at`.execute(database.owner)
  await sql`
    DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM oauth_clients WHERE allowed_at IS NULL ORDER BY created_at DESC, id DESC OFFSET ${maxUnused})`.execute(
    database.owner,
  )
}

/** Call when a person allows the client. It is not deleted as unused from then on. */
export async function keepOAuthClient(database: Database, id: string): Promise<void> {
  await sql`UPDATE oauth_clients SET allowed_at = coalesce(allowed_at, app_now()) WHERE id = ${id}`.execute(
    database.owner,
  )
}

export async function deleteUnusedOAuthClients(database: Database, maxAgeHours: number): Promise<void> {
  await sql`
    DELETE FROM oauth_clients
    WHERE allowed_at IS NULL AND created_at < app_now() - make_interval(hours => ${maxAgeHours})`.execute(
    database.owner,
  )
}
