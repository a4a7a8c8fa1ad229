import { sql } from 'kysely'

/**
 * SQL for the outcome that the sender of the task `t` declared for the chosen action. Null if it
 * declared none: missing outcomes are derived when they are read, so that later improvements apply
 * to old data.
 */
export const declaredOutcome = sql`
  (SELECT a ->> 'outcome' FROM task_contents c, json_array_elements(c.actions) a
    WHERE c.task_id = t.id AND a ->> 'id' = t.action_id LIMIT 1)`
