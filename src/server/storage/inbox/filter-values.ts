import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'

/** Distinct apps or types of open tasks, with a loose index scan. */
export async function listOpenValues(
  tx: Transaction,
  column: 'app' | 'type',
  limit: number,
): Promise<string[]> {
  const value = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    WITH RECURSIVE found AS (
      (SELECT ${value} AS value FROM tasks WHERE workspace_id = ${tx.workspaceId} AND status = 'open'
       ORDER BY ${value} LIMIT 1)
      UNION ALL
      SELECT next.value FROM found CROSS JOIN LATERAL (
        SELECT ${value} AS value FROM tasks
        WHERE workspace_id = ${tx.workspaceId} AND status = 'open' AND ${value} > found.value
        ORDER BY ${value} LIMIT 1) next
    )
    SELECT value FROM found LIMIT ${limit}`.execute(tx.db)
  return rows.map((row) => row.value)
}

/** Email addresses of the members who have handled a task. Takes one index lookup per member. */
export async function listAnsweringMembers(tx: Transaction, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT users.email FROM members JOIN users ON users.id = members.user_id
    CROSS JOIN LATERAL (
      SELECT FROM tasks
      WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND handled_by = users.email LIMIT 1) answered
    WHERE members.workspace_id = ${tx.workspaceId}
    ORDER BY users.name, users.email LIMIT ${limit}`.execute(tx.db)
  return rows.map((row) => row.email)
}
