import { type Kysely, sql } from 'kysely'

// Ends several tasks in the time of one: the fixed cost of an UPDATE on tasks, with over twenty
// indexes, is much higher than the cost per row.
//
// A batch skips tasks that are locked, so that none delays the others. It also skips tasks whose
// log got an event while the locks were taken: that event has a higher transaction id and would
// follow the end of its task. A single task waits for its lock, and its transaction id is assigned
// with it.
//
// Plans are made once per connection, possibly while the tables are empty, and must suit full
// tables too.
//
// tasks_inbox uses ended_at IS NULL for "open". With statistics from a time without open tasks,
// PostgreSQL considers all indexes of open tasks equally small and would read all open tasks for
// each thread of a page. Only one index matches this condition.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
DROP INDEX tasks_inbox;
CREATE INDEX tasks_inbox ON tasks (workspace_id, thread_id, priority, created_at, id) WHERE ended_at IS NULL;
-- By default PostgreSQL analyzes after a tenth of all tasks changed; the number of open ones changes much sooner.
ALTER TABLE tasks SET (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 500);

DROP FUNCTION end_task(text, text, text, json);

-- Each statement sees what was committed before it: a draft saved before the lock was granted is deleted too.
CREATE FUNCTION end_tasks(wanted_workspace text, wanted json, may_wait boolean)
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
      "handledBy" text, "handledById" text, "decidedBy" text, presented text, reason text, "byDeadline" boolean)
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
