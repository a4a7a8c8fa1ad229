import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE mcp_sessions
      -- The session's id contains what its client can do. Nodes of the previous version still write the column.
      ALTER COLUMN protocol_version DROP NOT NULL,
      -- The client has ended the session. The row is kept until the id has expired.
      ADD COLUMN ended boolean NOT NULL DEFAULT false`.execute(db)
}
