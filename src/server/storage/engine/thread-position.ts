/** The rank of a thread whose open tasks all wait for the agent. It is after all priorities. */
export const waitingRank = 4

/**
 * SQL for rank and age of a thread, which depend on its tasks that wait for people: one index
 * lookup per priority, so that the cost does not depend on the size of the thread. Nulls if there
 * are no such tasks. `condition` is SQL that leaves out some of them.
 */
export const threadPosition = (workspace: string, thread: string, condition = '') => `
      SELECT min(p.priority) AS rank, min(first.created_at) AS oldest
      FROM (VALUES (0), (1), (2), (3)) AS p (priority)
      CROSS JOIN LATERAL (
        SELECT created_at FROM tasks
        WHERE workspace_id = ${workspace} AND thread_id = ${thread} AND ended_at IS NULL AND agent_due_at IS NULL
          AND priority = p.priority ${condition}
        ORDER BY created_at, id LIMIT 1) first`
