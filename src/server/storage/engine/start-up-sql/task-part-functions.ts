import { groupPrefix } from '../../../../contract/group-prefix.ts'
/**
 * Parts of a task that few tasks have. They are functions instead of subqueries, because PostgreSQL
 * sets up every subquery of a statement before it runs, even if no row needs it: its time to read a
 * task fell from 0.58 to 0.41 ms (bench latency, 2026-11). A query calls such a function only if a
 * column of the task says that the task has the part. The functions are PL/pgSQL, because before
 * version 18 PostgreSQL plans SQL functions again for each statement.
 */
export const taskPartFunctions = `
-- The questions of the task with their replies, oldest first.
CREATE OR REPLACE FUNCTION questions_of_task(wanted_workspace text, wanted_task text) RETURNS json
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('id', q.id, 'kind', q.kind, 'text', q.text, 'askedBy', q.asked_by, 'askedAt', q.created_at,
      'updateId', q.update_id, 'message', u.message, 'answeredAt', u.created_at) ORDER BY q.number)
    FROM task_questions q LEFT JOIN task_updates u ON u.id = q.update_id
    WHERE q.workspace_id = wanted_workspace AND q.task_id = wanted_task);
END $$;

-- The answers to one revision of a task with a review, oldest first.
CREATE OR REPLACE FUNCTION answers_of_task(wanted_workspace text, wanted_task text, wanted_revision integer) RETURNS json
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('actionId', a.action_id, 'actionTitle', a.action_title, 'data', a.data,
      'answeredBy', a.answered_by, 'isVerified', a.is_verified, 'via', a.via, 'createdAt', a.created_at) ORDER BY a.created_at, a.user_id)
    FROM task_answers a
    WHERE a.workspace_id = wanted_workspace AND a.task_id = wanted_task AND a.revision = wanted_revision);
END $$;

-- The email address or group:<slug> of each person and group in the review, by id.
CREATE OR REPLACE FUNCTION names_of_review(wanted_workspace text, wanted_review jsonb) RETURNS json
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT json_object_agg(named.id, named.name) FROM (
      SELECT wanted #>> '{}' AS id FROM jsonb_path_query(wanted_review, '$.*[*]') wanted WHERE jsonb_typeof(wanted) = 'string'
    ) ids CROSS JOIN LATERAL (
      SELECT u.id, u.email AS name FROM users u WHERE u.id = ids.id
      UNION ALL SELECT g.id, '${groupPrefix}' || g.slug FROM groups g WHERE g.workspace_id = wanted_workspace AND g.id = ids.id
    ) named);
END $$;

CREATE OR REPLACE FUNCTION name_of_rule(wanted_workspace text, wanted_rule text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT name FROM rules WHERE rules.workspace_id = wanted_workspace AND rules.id = wanted_rule);
END $$;
`
