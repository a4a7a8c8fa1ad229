import { assignedWant } from '../notifications/routes.ts'
import { settingsVersion } from '../review/decision-settings.ts'
import { isResting } from '../rules/rules.ts'
import { eventBodyWithTime } from './end-task.ts'

const ruleColumns = `"ruleId" text, "ruleKind" text, "ruleGeneration" integer, "ruleUntil" timestamptz, ending json`

// People answer all tasks of a new version. A task that arrives while this many of them are open is
// not compared with the rule.
const maxOpenOfNewVersions = 200

/**
 * Whether a rule matches, its `until` is not over and it does not rest. In the
 * statement itself, because this depends on the samples that are open when it runs.
 */
const ruleApplies = `
    "ruleId" IS NOT NULL AND "ruleUntil" > app_now() AND NOT (
      SELECT ${isResting} FROM rule_samples s WHERE s.rule_id = "ruleId" AND s.kind = 'sample' AND s.judged_at IS NULL)`

/**
 * For the tasks that a rule decides, their ending, deliveries and audit entries. For the other
 * tasks that a rule matches, their samples.
 */
const ruleParts = `
  decided AS MATERIALIZED (
    SELECT new.id AS "decidedId", now AS "decidedAt", "actionId", "actionTitle", answer, "handledBy", "decidedBy", via,
      ending."eventId" AS "handledEventId", ending.type AS "handledType", deliveries, "auditId", "auditActor", "auditAction",
      "openDetails", ${eventBodyWithTime('now')} AS event_body
    FROM new CROSS JOIN LATERAL json_to_record(ending) AS ending ("actionId" text, "actionTitle" text, answer text, "handledBy" text,
      "decidedBy" text, via text, "eventId" text, type text, "openBody" text, deliveries json, "auditId" text, "auditActor" text,
      "auditAction" text, "openDetails" text)
    WHERE "ruleApplies" AND "ruleKind" = 'decision'
  ),
  for_people AS MATERIALIZED (SELECT * FROM new WHERE id NOT IN (SELECT "decidedId" FROM decided)),
  sample AS (
    INSERT INTO rule_samples (workspace_id, task_id, rule_id, kind, generation, drawn_at)
    SELECT $1, id, "ruleId", "ruleKind", "ruleGeneration", now FROM for_people
    WHERE CASE "ruleKind" WHEN 'sample' THEN "ruleApplies" WHEN 'newVersion' THEN ${maxOpenOfNewVersions} > (
      SELECT count(*) FROM rule_samples s WHERE s.rule_id = "ruleId" AND s.kind = 'newVersion' AND s.judged_at IS NULL) END
  ),
  delivery AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, url, body, created_at, round_at, due_at)
    SELECT due.id, $1, "handledEventId", "handledType", "decidedId", due.kind, due.url, event_body, "decidedAt", "decidedAt", "decidedAt"
    FROM decided CROSS JOIN LATERAL json_to_recordset(deliveries) AS due (id text, kind text, url text)
  ),
  audit AS (
    INSERT INTO audit_log (id, workspace_id, actor, action, subject, details)
    SELECT "auditId", $1, "auditActor", "auditAction", "decidedId", ("openDetails" || '}')::json FROM decided
  ),`

const endColumns = ', status, ended_at, action_id, action_title, answer, handled_by, decided_by, via, rule_id'
const endValues = `, CASE WHEN "decidedId" IS NULL THEN 'open' ELSE 'handled' END, "decidedAt", "actionId", "actionTitle", answer::json,
      "handledBy", "decidedBy", via, CASE WHEN "decidedId" IS NOT NULL THEN "ruleId" END`

const joinDecided = 'LEFT JOIN decided ON "decidedId" = id'

// For a task that a rule decided, only the rule: no inbox lists the task, and readers of the log
// leave its events out.
const createdBody = `CASE WHEN "decidedId" IS NULL THEN "eventBody"::json ELSE json_build_object('ruleId', "ruleId") END`

// Ids of events are assigned in this order: task_created sorts before task_handled.
const handledEvents = `
  UNION ALL
  SELECT $1, epoch, id, "threadId", "handledType", "handledEventId", event_body::json, now
  FROM new JOIN decided ON "decidedId" = id ORDER BY type`

/**
 * Inserts tasks and all that belongs to them, with `hasRules` also what the rules that match them
 * write. Threads are inserted in the order of their ids to avoid deadlocks. A task whose
 * `settingsVersion` is no longer current is left out: no event is returned for it, and insertTasks
 * reports it as outdated.
 */
export function insertTasksStatement(hasRules: boolean): string {
  const forPeople = hasRules ? 'for_people' : 'new'
  return `
  WITH
  current AS MATERIALIZED (
    SELECT app_now() AS now, app_epoch() AS epoch, rules_version FROM workspaces WHERE id = $1
  ),
  new AS MATERIALIZED (
    SELECT input.*, now, epoch${hasRules ? `, ${ruleApplies} AS "ruleApplies"` : ''}
    FROM current CROSS JOIN json_to_recordset($2) AS input (id text, "threadId" text, app text, type text, name text, description text, version text,
      priority smallint, delivery text, metadata text, "assignedTo" text, "createdBy" text, "sessionId" text, traceparent text,
      tracestate text, "callbackUrl" text,
      "pushesToMcp" boolean, "acceptsQuestions" boolean, "expiresInSeconds" double precision, "onExpire" text, context text, actions text, sent text, words text[],
      "eventId" text, "eventBody" text, "noticeId" text, review text, "settingsVersion" text,
      "answerWithinMinutes" integer, steps json${hasRules ? `, ${ruleColumns}` : ''})
    WHERE "settingsVersion" = ${settingsVersion('epoch')}
  ),
${hasRules ? ruleParts : ''}
  thread AS (
    INSERT INTO threads AS t (workspace_id, id, open_count, rank, oldest_open_at)
    SELECT $1, "threadId", count(*), min(priority), min(now) FROM ${forPeople} GROUP BY "threadId" ORDER BY "threadId"
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      open_count = t.open_count + excluded.open_count,
      rank = least(t.rank, excluded.rank),
      oldest_open_at = least(t.oldest_open_at, excluded.oldest_open_at)
  ),
  task AS (
    INSERT INTO tasks (workspace_id, id, thread_id, app, type, name, description, version, delivery, priority, metadata,
      assigned_to, created_by, session_id, traceparent, tracestate, callback_url, push, accepts_questions, created_at, updated_at, expires_at, on_expire, review, answer_by${hasRules ? endColumns : ''})
    SELECT $1, id, "threadId", app, type, name, description, version, delivery, priority, metadata::json,
      "assignedTo", "createdBy", "sessionId", traceparent, tracestate, "callbackUrl", "pushesToMcp", "acceptsQuestions", now, now, now + make_interval(secs => "expiresInSeconds"),
      "onExpire"::json, review::jsonb, now + make_interval(mins => "answerWithinMinutes")${hasRules ? endValues : ''}
    FROM new ${hasRules ? joinDecided : ''}
  ),
  content AS (
    INSERT INTO task_contents (workspace_id, task_id, context, actions, sent)
    SELECT $1, id, context::json, actions::json, sent::json FROM new
  ),
  step AS (
    INSERT INTO task_steps (workspace_id, task_id, thread_id, number, kind, due_at, target, raise_priority)
    SELECT $1, id, "threadId", number, kind, now + make_interval(mins => "afterMinutes"), target, coalesce("raisePriority", false)
    FROM ${forPeople}, ROWS FROM (json_to_recordset(steps) AS (kind text, "afterMinutes" integer, target text, "raisePriority" boolean))
      WITH ORDINALITY AS step (kind, "afterMinutes", target, "raisePriority", number)
  ),
  search AS (
    INSERT INTO task_search (workspace_id, task_id, created_at, document)
    SELECT $1, id, now, array_to_tsvector(words) FROM new
  ),
  -- The body of a notice is not used. An older release, which may run at the same time, reads the id of the task from it.
  notice AS (
    INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body)
    SELECT "noticeId", $1, "eventId", 'service/task_created', id, 'notice', id FROM ${forPeople}
    -- The route of a person is their id; ${assignedWant} in wants selects what is assigned to them.
    WHERE EXISTS (SELECT FROM notification_routes WHERE workspace_id = $1 AND (priority = ANY (wants) OR (${assignedWant} = ANY (wants) AND (
      route = "assignedTo" OR route IN (SELECT user_id FROM group_members WHERE workspace_id = $1 AND group_id = "assignedTo")))))
  )
  INSERT INTO events (workspace_id, epoch, task_id, thread_id, type, event_id, body, created_at)
  SELECT $1, epoch, id, "threadId", 'service/task_created' AS type, "eventId", ${hasRules ? createdBody : '"eventBody"::json'}, now
  FROM new ${hasRules ? `${joinDecided} ${handledEvents}` : ''}
  RETURNING task_id AS "taskId", type`
}
