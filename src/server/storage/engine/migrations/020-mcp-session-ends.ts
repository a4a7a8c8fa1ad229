import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE mcp_sessions
      -- The session's id tells what its client can do.
      DROP COLUMN protocol_version,
      -- By its client. The row is kept until the id has expired.
      ADD COLUMN ended boolean NOT NULL DEFAULT false`.execute(db)
}
