import { type Kysely, sql } from 'kysely'

// Whether an address was proved, and limits that are counted for all nodes together.
//
// Until now every account was called verified and no address was proved. Only those stay so whose address was: whoever an operator
// made (first owners, members added by `handrail setup`), and whoever has set a password by a mailed link. The audit knows both.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
UPDATE users SET email_verified = false
WHERE NOT EXISTS (
  SELECT FROM audit_log a WHERE (a.action = 'workspace.created' AND a.actor = users.id)
    OR (a.action = 'member.joined' AND a.actor = 'service' AND a.subject = users.id)
    OR (a.action = 'member.password_reset' AND a.actor = users.id));

-- False: the link was shown to whoever invited, so that to have it proves nothing.
ALTER TABLE invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;
-- Those whose author has left or may no longer make them.
DELETE FROM invitations i WHERE accepted_at IS NULL AND NOT EXISTS (
  SELECT FROM members m WHERE m.workspace_id = i.workspace_id AND m.user_id = i.invited_by
    AND (m.role = 'owner' OR (m.role = 'admin' AND i.role = 'member')));

-- A subject is used so often until then. Addresses stand here as digests.
CREATE TABLE rate_counts (
  subject text PRIMARY KEY,
  used integer NOT NULL,
  resets_at timestamptz NOT NULL
);

-- As it was when the answer was given. Null: not known, because the answer is older than this column, or nobody gave it.
ALTER TABLE tasks ADD COLUMN handled_by_verified boolean;
-- end_tasks is as in 013 but for this column, so only the difference stands here.
DO $$
DECLARE
  before text := pg_get_functiondef('end_tasks(text, json, boolean)'::regprocedure);
  declared text := replace(before, '"handledById" text,', '"handledById" text, "handledByVerified" boolean,');
  written text := replace(declared, 'handled_by_id = given."handledById",',
    'handled_by_id = given."handledById",
      handled_by_verified = given."handledByVerified",');
BEGIN
  IF declared = before OR written = declared THEN RAISE EXCEPTION 'end_tasks is not the one of migration 013'; END IF;
  EXECUTE written;
END $$;
`)
    .execute(db)
}
