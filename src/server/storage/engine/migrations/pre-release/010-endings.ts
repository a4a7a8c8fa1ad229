import { type Kysely, sql } from 'kysely'

// Ends a task in one round trip. Unlike the parts of a single statement, each statement of a
// function sees what was committed before it: the thread is locked first, and a draft saved
// meanwhile is deleted too.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
CREATE FUNCTION end_task(wanted_workspace text, wanted_task text, wanted_thread text, ending json)
RETURNS TABLE (ended_at timestamptz, context_sha256 text, actions_sha256 text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  by_deadline boolean := (ending ->> 'byDeadline')::boolean;
BEGIN
  PERFORM FROM threads WHERE workspace_id = wanted_workspace AND id = wanted_thread FOR UPDATE;
  UPDATE tasks t SET
    status = ending ->> 'status',
    ended_at = app_now(),
    updated_at = app_now(),
    action_id = ending ->> 'actionId',
    action_title = ending ->> 'actionTitle',
    answer = (ending ->> 'answer')::json,
    handled_by = ending ->> 'handledBy',
    handled_by_id = ending ->> 'handledById',
    decided_by = ending ->> 'decidedBy',
    presented = (ending ->> 'presented')::json,
    cancel_reason = ending ->> 'reason'
  WHERE t.workspace_id = wanted_workspace AND t.id = wanted_task AND t.status = 'open'
    AND CASE WHEN by_deadline THEN t.expires_at <= app_now() ELSE t.expires_at IS NULL OR t.expires_at > app_now() END
  RETURNING t.ended_at INTO end_task.ended_at;
  IF NOT FOUND THEN RETURN; END IF;

  DELETE FROM threads WHERE workspace_id = wanted_workspace AND id = wanted_thread AND open_count = 1;
  IF NOT FOUND THEN
    -- One index lookup per priority, so that the cost does not depend on the size of the thread.
    UPDATE threads SET open_count = open_count - 1, rank = open.rank, oldest_open_at = open.oldest
    FROM (
      SELECT min(p.priority) AS rank, min(first.created_at) AS oldest
      FROM (VALUES (0), (1), (2), (3)) AS p (priority)
      CROSS JOIN LATERAL (
        SELECT created_at FROM tasks
        WHERE workspace_id = wanted_workspace AND thread_id = wanted_thread AND status = 'open' AND priority = p.priority
        ORDER BY created_at, id LIMIT 1) first
    ) open
    WHERE threads.workspace_id = wanted_workspace AND threads.id = wanted_thread;
  END IF;
  DELETE FROM claims WHERE workspace_id = wanted_workspace AND task_id = wanted_task;

  IF ending ->> 'status' = 'handled' THEN
    DELETE FROM drafts
    WHERE workspace_id = wanted_workspace AND task_id = wanted_task AND user_id = ending ->> 'handledById';
    -- Digest of the stored text, byte by byte: what the person saw.
    SELECT encode(sha256(convert_to(context::text, 'UTF8')), 'hex'), encode(sha256(convert_to(actions::text, 'UTF8')), 'hex')
    INTO context_sha256, actions_sha256
    FROM task_contents WHERE workspace_id = wanted_workspace AND task_id = wanted_task;
  END IF;
  RETURN NEXT;
END $$;
`)
    .execute(db)
}
