import { sql } from 'kysely'

/**
 * What the sender of the task `t` declared the chosen action to be. null: nothing. Missing outcomes are guessed on read, so
 * that better rules apply to old data.
 */
export const declaredOutcome = sql`
  (SELECT a ->> 'outcome' FROM task_contents c, json_array_elements(c.actions) a
    WHERE c.task_id = t.id AND a ->> 'id' = t.action_id LIMIT 1)`
