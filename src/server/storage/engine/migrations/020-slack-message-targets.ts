import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(targets).execute(db)
}

// A direct message is sent to a user, and Slack returns the id of the conversation. No message was stored before this migration.
const targets = `
ALTER TABLE slack_messages
  DROP CONSTRAINT slack_messages_pkey,
  -- The channel or user that it was sent to.
  ADD COLUMN target text NOT NULL,
  ADD PRIMARY KEY (workspace_id, task_id, target);
`
