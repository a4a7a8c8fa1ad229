import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import { queryWords } from '../tasks/search-words.ts'
import {
  countByPriority,
  type InboxTaskRow,
  inboxColumns,
  isAfter,
  type PriorityCount,
  readInboxRows,
  type TaskPosition,
} from './inbox.ts'
import { isNotSnoozed, type Snooze } from './snoozes.ts'

export type OpenFilters = {
  app?: string | undefined
  type?: string | undefined
  priority?: number | undefined
  /** People and groups by id, or null for unassigned tasks. */
  assignedTo?: string[] | null | undefined
  /** Only tasks that are past their `answerBy` and do not wait for the agent. */
  late?: true | undefined
  /** Only these tasks. */
  taskIds?: string[] | undefined
  /** The snoozes whose tasks are left out. */
  without?: Snooze[] | undefined
}

/**
 * Matching tasks that wait for people, by priority and age, which is the order of the filters'
 * indexes. With `late`, by priority and `answerBy`.
 */
export async function listFiltered(
  tx: Transaction,
  userId: string,
  filters: OpenFilters,
  after: TaskPosition | undefined,
  limit: number,
): Promise<InboxTaskRow[]> {
  const by = filters.late ? sql.ref('answer_by') : sql.ref('created_at')
  const condition = sql`t.agent_due_at IS NULL ${isAfter(after, by)}`
  const page = firstMatches(tx, filters, condition, by, limit)
  return await readInboxRows(tx, userId, page, sql`page.priority, page.${by}, page.id`)
}

// `ended_at IS NULL` says the same as `status = 'open'`. It is the condition of the partial index
// tasks_waiting, which PostgreSQL uses only if the query contains it.
const isWaiting = sql`t.ended_at IS NULL AND t.agent_due_at IS NOT NULL`

/** Matching tasks that wait for the agent, by priority and age. The list shows them after all others. */
export async function listWaiting(
  tx: Transaction,
  userId: string,
  filters: OpenFilters,
  after: TaskPosition | undefined,
  limit: number,
): Promise<InboxTaskRow[]> {
  if (filters.late) return []
  const condition = sql`${isWaiting} ${isAfter(after)}`
  const page = firstMatches(tx, filters, condition, sql.ref('created_at'), limit)
  return await readInboxRows(tx, userId, page, sql`page.priority, page.created_at, page.id`)
}

/** How many matching tasks wait for the agent. Counting stops at `max`. */
export async function countWaiting(tx: Transaction, filters: OpenFilters, max: number): Promise<number> {
  if (filters.late) return 0
  const query = sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM tasks t WHERE ${matches(tx, filters)} AND ${isWaiting} LIMIT ${max}) waiting`
  const [counted] = await runPrepared(tx, query)
  return counted!.count
}

/** How many matching tasks wait for people, per priority. Counting each priority stops at `max`. */
export async function countFiltered(
  tx: Transaction,
  filters: OpenFilters,
  max: number,
): Promise<PriorityCount[]> {
  return await countByPriority(
    tx,
    sql`SELECT count(*) AS count FROM (
      SELECT FROM tasks t
      WHERE ${matches(tx, filters)} AND t.agent_due_at IS NULL AND t.priority = p.priority LIMIT ${max}) of_priority`,
  )
}

/** The tasks among `taskIds` that are open and match the filters, newest first. */
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

/**
 * The ids of the given tasks that contain the words, in no particular order. For a few tasks;
 * search_tasks finds the newest among all tasks.
 */
export async function searchAmong(
  tx: Transaction,
  query: string,
  taskIds: string[],
  before: { at: string; id: string } | undefined,
): Promise<string[]> {
  const { words, last } = queryWords(tx.workspaceId, query)
  if (last === undefined) return []
  const { rows } = await sql<{ taskId: string }>`
    SELECT task_id FROM task_search
    WHERE workspace_id = ${tx.workspaceId} AND task_id = ANY (${taskIds}::text[])
      AND (created_at, task_id) < (coalesce(${before?.at ?? null}::timestamptz, 'infinity'), ${before?.id ?? ''})
      AND document @@ concat_ws(' & ', (SELECT string_agg(quote_literal(word), ' & ') FROM unnest(${words}::text[]) word),
        quote_literal(${last}::text) || ':*')::tsquery`.execute(tx.db)
  return rows.map(({ taskId }) => taskId)
}

/**
 * The first matches by priority and `by`. Reads one page per assignee, because the index of
 * assigned tasks is in this order only within one assignee.
 */
function firstMatches(
  tx: Transaction,
  filters: OpenFilters,
  condition: RawBuilder<unknown>,
  by: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const pages = (filters.assignedTo?.map((id) => [id]) ?? [filters.assignedTo]).map(
    (assignedTo) => sql`(
      SELECT ${inboxColumns} FROM tasks t WHERE ${matches(tx, { ...filters, assignedTo })} AND ${condition}
      ORDER BY t.priority, t.${by}, t.id LIMIT ${limit})`,
  )
  if (pages.length === 1) return pages[0]!
  return sql`${sql.join(pages, sql` UNION ALL `)} ORDER BY priority, ${by}, id LIMIT ${limit}`
}

function matches(
  tx: Transaction,
  { app, type, priority, assignedTo, late, taskIds, without = [] }: OpenFilters,
): RawBuilder<unknown> {
  const conditions = [sql`t.workspace_id = ${tx.workspaceId} AND t.status = 'open'`]
  if (app !== undefined) conditions.push(sql`t.app = ${app}`)
  if (type !== undefined) conditions.push(sql`t.type = ${type}`)
  if (priority !== undefined) conditions.push(sql`t.priority = ${priority}::smallint`)
  if (assignedTo === null) conditions.push(sql`t.assigned_to IS NULL`)
  else if (assignedTo?.length === 1) conditions.push(sql`t.assigned_to = ${assignedTo[0]!}`)
  else if (assignedTo !== undefined) conditions.push(sql`t.assigned_to = ANY (${assignedTo}::text[])`)
  if (late) conditions.push(sql`t.agent_due_at IS NULL AND t.answer_by <= app_now()`)
  if (taskIds !== undefined) conditions.push(sql`t.id = ANY (${taskIds}::text[])`)
  return sql`${sql.join(conditions, sql` AND `)} ${isNotSnoozed(sql.ref('t.id'), without)}`
}
