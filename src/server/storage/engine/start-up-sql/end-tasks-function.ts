import { threadPosition, waitingRank } from '../thread-position.ts'

/**
 * Ends one task, or several in little more than the time of one: the fixed cost of an UPDATE on
 * tasks, with more than twenty indexes, is much higher than the cost per row.
 *
 * The fields of `wanted` are those of toEndingRow, and `place`, the index in the batch
 * (storage/tasks/end-task.ts). The statement there calls this function and reads the other fields,
 * for the event, the deliveries and the audit row.
 *
 * In the first attempt may_wait is false, also for one task. The function then skips tasks that are
 * locked, so that none delays the others. It also skips tasks of which an event was logged while
 * the locks were taken: that event has a higher transaction id and would follow the end of its
 * task. The caller repeats a skipped task alone with may_wait: the function waits for the lock, and
 * the transaction gets its id only with the lock, after all earlier events of the task.
 *
 * Plans are made once per connection, possibly while the tables are empty, and must suit full
 * tables too. So each table is also restricted by `= ANY (array)`: a join alone may read all rows
 * of the workspace, which took 20 to 60 ms per answer at 15,000 open tasks instead of 3. Without
 * enable_seqscan = off, an answer took 11 ms after an ANALYZE of empty tables. Without
 * force_generic_plan, which plans each time, it took 1.4 x the time (2026-11).
 */
export const endTasksFunction = `
-- Each statement sees what was committed before it: a draft saved before the lock was granted is deleted too.
CREATE OR REPLACE FUNCTION end_tasks(wanted_workspace text, wanted json, may_wait boolean)
RETURNS TABLE (place integer, ended_at timestamptz, context_sha256 text, actions_sha256 text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  wanted_tasks text[];
  wanted_threads text[];
  places integer[];
  tasks_ended text[];
  threads_ended text[];
  were_waiting boolean[];
  threads_left text[];
  deciders text[];
  -- Read once, because each call is a separate query.
  end_time timestamptz := app_now();
BEGIN
  SELECT array_agg("taskId"), array_agg("threadId") INTO wanted_tasks, wanted_threads
  FROM json_to_recordset(wanted) AS w ("taskId" text, "threadId" text);
  IF may_wait THEN
    PERFORM FROM threads WHERE workspace_id = wanted_workspace AND id = ANY (wanted_threads) ORDER BY id FOR UPDATE;
  ELSE
    wanted_tasks := ARRAY(
      SELECT t.id FROM tasks t JOIN threads th ON th.workspace_id = t.workspace_id AND th.id = t.thread_id
      WHERE t.workspace_id = wanted_workspace AND t.id = ANY (wanted_tasks)
        AND th.workspace_id = wanted_workspace AND th.id = ANY (wanted_threads)
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
    -- Of two answers to one task, only the first is kept.
    SELECT DISTINCT ON ("taskId") w.*
    FROM json_to_recordset(wanted) AS w (place integer, "taskId" text, status text, "actionId" text, "actionTitle" text, answer text,
      "handledBy" text, "handledById" text, "handledByVerified" boolean, "decidedBy" text, via text, presented text, reason text,
      edits text, "editLevel" text, "bulkId" text, "byDeadline" boolean, revision integer, "isReviewed" boolean)
    WHERE "taskId" = ANY (wanted_tasks)
    ORDER BY "taskId", place
  ),
  ended AS (
    UPDATE tasks t SET
      status = given.status,
      ended_at = end_time,
      updated_at = end_time,
      action_id = given."actionId",
      action_title = given."actionTitle",
      answer = given.answer::json,
      handled_by = given."handledBy",
      handled_by_id = given."handledById",
      handled_by_verified = given."handledByVerified",
      decided_by = given."decidedBy",
      via = given.via,
      presented = given.presented::json,
      edits = given.edits::json,
      edit_level = given."editLevel",
      bulk_id = given."bulkId",
      cancel_reason = given.reason
    FROM given
    WHERE t.workspace_id = wanted_workspace AND t.id = ANY (wanted_tasks) AND t.id = given."taskId"
      -- Without a revision (NULL), the comparison is not true: any revision may end.
      AND CASE WHEN t.status <> 'open' OR t.revision <> given.revision THEN false
        -- Holds as well while an older release, which knows no reviews, is still running on another node.
        WHEN given.status = 'handled' AND t.review IS NOT NULL AND given."isReviewed" IS NOT TRUE THEN false
        WHEN given."byDeadline" THEN t.expires_at <= end_time ELSE t.expires_at IS NULL OR t.expires_at > end_time END
    RETURNING given.place, given."handledById", t.id, t.thread_id, t.agent_due_at IS NOT NULL AS was_waiting
  )
  SELECT array_agg(place), array_agg(id), array_agg(thread_id), array_agg("handledById"), array_agg(was_waiting)
  INTO places, tasks_ended, threads_ended, deciders, were_waiting FROM ended;
  IF places IS NULL THEN RETURN; END IF;

  WITH fewer AS (SELECT id, count(*) AS tasks FROM unnest(threads_ended) AS id GROUP BY id),
  emptied AS (
    DELETE FROM threads USING fewer
    WHERE threads.workspace_id = wanted_workspace AND threads.id = ANY (threads_ended) AND threads.id = fewer.id
      AND open_count = fewer.tasks
    RETURNING threads.id
  )
  SELECT array_agg(left_over.id) INTO threads_left
  FROM unnest(threads_ended) AS left_over (id) WHERE NOT EXISTS (SELECT FROM emptied WHERE emptied.id = left_over.id);
  IF threads_left IS NOT NULL THEN
    UPDATE threads SET open_count = open_count - fewer.tasks, waiting_count = waiting_count - fewer.waiting,
      rank = coalesce(open.rank, ${waitingRank}), oldest_open_at = coalesce(open.oldest, 'infinity')
    FROM (
      SELECT id, count(*) AS tasks, count(*) FILTER (WHERE was_waiting) AS waiting
      FROM unnest(threads_ended, were_waiting) AS ended (id, was_waiting) GROUP BY id
    ) fewer
    CROSS JOIN LATERAL (${threadPosition('wanted_workspace', 'fewer.id')}
    ) open
    WHERE threads.workspace_id = wanted_workspace AND threads.id = ANY (threads_left) AND threads.id = fewer.id;
  END IF;
  DELETE FROM claims WHERE workspace_id = wanted_workspace AND task_id = ANY (tasks_ended);
  DELETE FROM snoozes WHERE workspace_id = wanted_workspace AND task_id = ANY (tasks_ended);
  IF array_remove(deciders, NULL) <> '{}' THEN
    DELETE FROM drafts USING unnest(tasks_ended, deciders) AS own (task_id, user_id)
    WHERE drafts.workspace_id = wanted_workspace AND drafts.task_id = ANY (tasks_ended) AND drafts.task_id = own.task_id
      AND drafts.user_id = own.user_id;
  END IF;

  RETURN QUERY
  SELECT e.place, end_time,
    -- Digests of the stored texts that the person saw, byte by byte.
    encode(sha256(convert_to(c.context::text, 'UTF8')), 'hex'), encode(sha256(convert_to(c.actions::text, 'UTF8')), 'hex')
  FROM unnest(places, tasks_ended) AS e (place, id)
  LEFT JOIN task_contents c ON c.workspace_id = wanted_workspace AND c.task_id = ANY (tasks_ended) AND c.task_id = e.id;
END $$;
`
