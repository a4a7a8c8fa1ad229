import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
ALTER TABLE held_notifications
  -- The task is new, something in it has changed, or a note mentions the person.
  ADD COLUMN reason text NOT NULL DEFAULT 'new' CHECK (reason IN ('new', 'changed', 'mentioned'));
UPDATE held_notifications SET reason = CASE label WHEN 'You were mentioned in a note' THEN 'mentioned' ELSE 'changed' END
WHERE label NOT IN ('Urgent', 'High', 'New', 'Low');
ALTER TABLE held_notifications ALTER COLUMN reason DROP DEFAULT;
`
