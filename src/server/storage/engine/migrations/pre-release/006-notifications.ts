import { type Kysely, sql } from 'kysely'

// Messages to people are deliveries too. Creating a task only writes a notice; the worker turns it
// into one delivery per person or channel, so that creating a task costs the same for any number of
// recipients.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
CREATE TABLE notification_routes (
  workspace_id text NOT NULL,
  -- A person's id, or 'chat' for the workspace's channel.
  route text NOT NULL,
  -- Tasks of this or a higher priority; -1: only those assigned to the person.
  up_to smallint NOT NULL,
  sealed_url text,
  PRIMARY KEY (workspace_id, route),
  CHECK ((route = 'chat') = (sealed_url IS NOT NULL))
);
ALTER TABLE deliveries DROP CONSTRAINT deliveries_kind_check, DROP CONSTRAINT deliveries_check;
ALTER TABLE deliveries ADD CHECK (kind IN ('callback', 'sse', 'notice', 'mail', 'chat')),
  ADD CHECK ((kind = 'callback') = (url IS NOT NULL));
ALTER TABLE deliveries ADD COLUMN recipient text CHECK ((kind = 'mail') = (recipient IS NOT NULL));
`)
    .execute(db)
}
