import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import {
  countByPriority,
  type InboxTaskRow,
  inboxColumns,
  type PriorityCount,
  readInboxRows,
} from './inbox.ts'

export type OpenFilters = {
  app?: string | undefined
  type?: string | undefined
  priority?: number | undefined
  /** A user id, or null for unassigned tasks. */
  assignedTo?: string | null | undefined
}

/** Where a filtered page ended. */
export type FilteredPosition = { priority: number; createdAt: string; taskId: string }

/** Matching open tasks by priority and age, the order of the filters' indexes. */
export async function listFiltered(
  tx: Transaction,
  userId: string,
  filters: OpenFilters,
  after: FilteredPosition | undefined,
  limit: number,
): Promise<InboxTaskRow[]> {
  const afterPosition = after
    ? sql`AND (t.priority, t.created_at, t.id)
        > (${after.priority}::smallint, ${after.createdAt}::timestamptz, ${after.taskId})`
    : sql``
  const page = sql`
    SELECT ${inboxColumns} FROM tasks t WHERE ${matches(tx, filters)} ${afterPosition}
    ORDER BY t.priority, t.created_at, t.id LIMIT ${limit}`
  return await readInboxRows(tx, userId, page, sql`page.priority, page.created_at, page.id`)
}

export async function countFiltered(
  tx: Transaction,
  filters: OpenFilters,
  stopAt: number,
): Promise<PriorityCount[]> {
  return await countByPriority(
    tx,
    sql`SELECT count(*) AS count FROM (
      SELECT FROM tasks t WHERE ${matches(tx, filters)} AND t.priority = p.priority LIMIT ${stopAt + 1}) of_priority`,
  )
}

/** What a search or an id has found, as far as it is still open and matches. Newest first. */
export async function findOpen(
  tx: Transaction,
  userId: string,
  taskIds: string[],
  filters: OpenFilters,
): Promise<InboxTaskRow[]> {
  if (taskIds.length === 0) return []
  const page = sql`
    SELECT ${inboxColumns} FROM tasks t WHERE t.id = ANY (${taskIds}::text[]) AND ${matches(tx, filters)}`
  return await readInboxRows(tx, userId, page, sql`page.created_at DESC, page.id DESC`)
}

function matches(tx: Transaction, { app, type, priority, assignedTo }: OpenFilters): RawBuilder<unknown> {
  const conditions = [sql`t.workspace_id = ${tx.workspaceId} AND t.status = 'open'`]
  if (app !== undefined) conditions.push(sql`t.app = ${app}`)
  if (type !== undefined) conditions.push(sql`t.type = ${type}`)
  if (priority !== undefined) conditions.push(sql`t.priority = ${priority}::smallint`)
  if (assignedTo === null) conditions.push(sql`t.assigned_to IS NULL`)
  else if (assignedTo !== undefined) conditions.push(sql`t.assigned_to = ${assignedTo}`)
  return sql.join(conditions, sql` AND `)
}
