import { type Kysely, sql } from 'kysely'

// The newest version is the one whose first task was created last. Roll-ups had only the day of the
// answers, so statistics and analyses could disagree about two versions of one day.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE answer_days ADD COLUMN began_at timestamptz;
UPDATE answer_days d SET began_at = t.began_at
FROM (
  SELECT workspace_id, (ended_at AT TIME ZONE 'UTC')::date AS day, app, type, coalesce(version, '') AS version,
    decided_by, min(created_at) AS began_at
  FROM tasks WHERE status = 'handled' GROUP BY 1, 2, 3, 4, 5, 6
) t
WHERE (d.workspace_id, d.day, d.app, d.type, d.version, d.decided_by) = (t.workspace_id, t.day, t.app, t.type, t.version, t.decided_by);
-- Tasks of a counted day are never deleted; this is for manually inserted rows.
UPDATE answer_days SET began_at = day::timestamp AT TIME ZONE 'UTC' WHERE began_at IS NULL;
ALTER TABLE answer_days ALTER COLUMN began_at SET NOT NULL;
`)
    .execute(db)
}
