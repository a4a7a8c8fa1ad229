import { type Kysely, sql } from 'kysely'

// Whether an address was verified, and rate limits that are counted across all nodes.
//
// So far every account was marked verified without a check. The only accounts that stay verified
// are those that, as the audit log shows, an operator created (first owners, members added by
// `handrail setup`) or that set a password with a mailed link.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
UPDATE users SET email_verified = false
WHERE NOT EXISTS (
  SELECT FROM audit_log a WHERE (a.action = 'workspace.created' AND a.actor = users.id)
    OR (a.action = 'member.joined' AND a.actor = 'service' AND a.subject = users.id)
    OR (a.action = 'member.password_reset' AND a.actor = users.id));

-- False: the link was shown to the inviter, so having it does not prove the address.
ALTER TABLE invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;
-- Invitations whose author has left or may no longer invite.
DELETE FROM invitations i WHERE accepted_at IS NULL AND NOT EXISTS (
  SELECT FROM members m WHERE m.workspace_id = i.workspace_id AND m.user_id = i.invited_by
    AND (m.role = 'owner' OR (m.role = 'admin' AND i.role = 'member')));

-- How often a subject was counted in the window that ends at resets_at. Addresses are stored as digests.
CREATE TABLE rate_counts (
  subject text PRIMARY KEY,
  used integer NOT NULL,
  resets_at timestamptz NOT NULL
);

-- At the time of the answer. Null: unknown because the answer is older than this column, or not answered by a person.
ALTER TABLE tasks ADD COLUMN handled_by_verified boolean;
-- end_tasks is as in 013 except for this column, so only the difference is here.
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
