import { type Kysely, sql } from 'kysely'

// Audit heads are signed. The next start, which has the key, signs existing heads.
//
// How an answer was given. The default fills old rows without rewriting the table; deadlines and
// answers from the command line are corrected from the audit. end_tasks is as in 012 except for
// this column.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
ALTER TABLE tasks ADD COLUMN via text DEFAULT 'web';
ALTER TABLE tasks ALTER COLUMN via DROP DEFAULT;
UPDATE tasks SET via = 'timeout' WHERE decided_by = 'timeout';
UPDATE tasks t SET via = 'cli' FROM audit_log a
  WHERE a.workspace_id = t.workspace_id AND a.subject = t.id AND a.action = 'task.handled' AND a.from_address = 'command line';
ALTER TABLE tasks ADD CONSTRAINT tasks_handled_via CHECK (status <> 'handled' OR via IS NOT NULL);

ALTER TABLE audit_heads ALTER COLUMN seq SET DEFAULT 0, ADD COLUMN signature text NOT NULL DEFAULT '';

-- Each statement sees what was committed before it: a draft saved before the lock was granted is deleted too.
CREATE OR REPLACE FUNCTION end_tasks(wanted_workspace text, wanted json, may_wait boolean)
RETURNS TABLE (place integer, ended_at timestamptz, context_sha256 text, actions_sha256 text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  wanted_tasks text[];
  wanted_threads text[];
  places integer[];
  tasks_ended text[];
  threads_left text[];
  deciders text[];
  -- Read once, because each call is a separate query.
  moment timestamptz := app_now();
BEGIN
  SELECT array_agg("taskId"), array_agg("threadId") INTO wanted_tasks, wanted_threads
  FROM json_to_recordset(wanted) AS w ("taskId" text, "threadId" text);
  IF may_wait THEN
    PERFORM FROM threads WHERE workspace_id = wanted_workspace AND id = ANY (wanted_threads) ORDER BY id FOR UPDATE;
  ELSE
    wanted_tasks := ARRAY(
      SELECT t.id FROM tasks t JOIN threads th ON th.workspace_id = t.workspace_id AND th.id = t.thread_id
      WHERE t.workspace_id = wanted_workspace AND t.id = ANY (wanted_tasks)
        AND CASE t.status WHEN 'open' THEN true END -- a plain condition would make the planner read all open tasks
      FOR NO KEY UPDATE OF t SKIP LOCKED FOR UPDATE OF th SKIP LOCKED);
    wanted_tasks := ARRAY(
      SELECT locked.id FROM unnest(wanted_tasks) AS locked (id)
      WHERE NOT EXISTS (
        SELECT FROM events e
        WHERE e.workspace_id = wanted_workspace AND e.task_id = locked.id AND e.type <> 'service/task_created'
          AND e.xid > pg_current_xact_id()::text::bigint
        OFFSET 0)); -- prevents a join that reads all events of the workspace
  END IF;

  WITH given AS MATERIALIZED (
    -- Of two answers to one task, the first.
    SELECT DISTINCT ON ("taskId") w.*
    FROM json_to_recordset(wanted) AS w (place integer, "taskId" text, status text, "actionId" text, "actionTitle" text, answer text,
      "handledBy" text, "handledById" text, "decidedBy" text, via text, presented text, reason text, "byDeadline" boolean)
    WHERE "taskId" = ANY (wanted_tasks)
    ORDER BY "taskId", place
  ),
  ended AS (
    UPDATE tasks t SET
      status = given.status,
      ended_at = moment,
      updated_at = moment,
      action_id = given."actionId",
      action_title = given."actionTitle",
      answer = given.answer::json,
      handled_by = given."handledBy",
      handled_by_id = given."handledById",
      decided_by = given."decidedBy",
      via = given.via,
      presented = given.presented::json,
      cancel_reason = given.reason
    FROM given
    WHERE t.workspace_id = wanted_workspace AND t.id = given."taskId"
      AND CASE WHEN t.status <> 'open' THEN false
        WHEN given."byDeadline" THEN t.expires_at <= moment ELSE t.expires_at IS NULL OR t.expires_at > moment END
    RETURNING given.place, given."handledById", t.id, t.thread_id
  )
  SELECT array_agg(place), array_agg(id), array_agg(thread_id), array_agg("handledById")
  INTO places, tasks_ended, threads_left, deciders FROM ended;
  IF places IS NULL THEN RETURN; END IF;

  WITH fewer AS (SELECT id, count(*) AS tasks FROM unnest(threads_left) AS id GROUP BY id),
  emptied AS (
    DELETE FROM threads USING fewer
    WHERE threads.workspace_id = wanted_workspace AND threads.id = fewer.id AND open_count = fewer.tasks
    RETURNING threads.id
  )
  SELECT array_agg(left_over.id) INTO threads_left
  FROM unnest(threads_left) AS left_over (id) WHERE NOT EXISTS (SELECT FROM emptied WHERE emptied.id = left_over.id);
  IF threads_left IS NOT NULL THEN
    -- One index lookup per priority, so that the cost does not depend on the size of the thread.
    UPDATE threads SET open_count = open_count - fewer.tasks, rank = open.rank, oldest_open_at = open.oldest
    FROM (SELECT id, count(*) AS tasks FROM unnest(threads_left) AS id GROUP BY id) fewer
    CROSS JOIN LATERAL (
      SELECT min(p.priority) AS rank, min(first.created_at) AS oldest
      FROM (VALUES (0), (1), (2), (3)) AS p (priority)
      CROSS JOIN LATERAL (
        SELECT created_at FROM tasks
        WHERE workspace_id = wanted_workspace AND thread_id = fewer.id AND ended_at IS NULL AND priority = p.priority
        ORDER BY created_at, id LIMIT 1) first
    ) open
    WHERE threads.workspace_id = wanted_workspace AND threads.id = fewer.id;
  END IF;
  DELETE FROM claims WHERE workspace_id = wanted_workspace AND task_id = ANY (tasks_ended);
  IF array_remove(deciders, NULL) <> '{}' THEN
    DELETE FROM drafts USING unnest(tasks_ended, deciders) AS own (task_id, user_id)
    WHERE drafts.workspace_id = wanted_workspace AND drafts.task_id = own.task_id AND drafts.user_id = own.user_id;
  END IF;

  RETURN QUERY
  SELECT e.place, moment,
    -- Digest of the stored text, byte by byte: what the person saw.
    encode(sha256(convert_to(c.context::text, 'UTF8')), 'hex'), encode(sha256(convert_to(c.actions::text, 'UTF8')), 'hex')
  FROM unnest(places, tasks_ended) AS e (place, id)
  LEFT JOIN task_contents c ON c.workspace_id = wanted_workspace AND c.task_id = e.id;
END $$;
`)
    .execute(db)
}
