import { TaskId } from '../../../contract/ids.ts'
import { type InboxCounts, type InboxPage, type ListInbox, maxSearchCount } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { priorities } from '../../../contract/task-fields.ts'
import type { ViewFilters } from '../../../contract/view.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { waitingRank } from '../../storage/engine/thread-position.ts'
import { currentCursor } from '../../storage/events/event-log.ts'
import {
  countFiltered,
  countWaiting,
  findOpen,
  listFiltered,
  listWaiting,
  type OpenFilters,
  searchAmong,
} from '../../storage/inbox/filtered-inbox.ts'
import {
  countOpen,
  type InboxTaskRow,
  listInbox as listInboxRows,
  type PriorityCount,
  type RankedTaskRow,
  type TaskPosition,
} from '../../storage/inbox/inbox.ts'
import { listSnoozes, type Snooze } from '../../storage/inbox/snoozes.ts'
import { listAssigneesOf } from '../../storage/review/groups.ts'
import { searchTaskIds } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { decodeCursor, decodePosition, toPage } from '../cursor.ts'
import type { Service } from '../service.ts'
import { encodeEventCursor } from './event-cursor.ts'
import { presentInboxRows } from './inbox-row.ts'

// One more than is shown per priority, which says that there are more.
const maxCounted = limits.countPerPriority + 1

/** `rows` may have one more than the page size, which means that another page follows. */
type Listed<Row extends InboxTaskRow> = {
  rows: Row[]
  counts: InboxCounts
  positionOf: (row: Row) => (string | number)[]
}

export async function listInbox(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, q, ...view }: ListInbox,
): Promise<InboxPage> {
  const size = limit ?? limits.inboxPageDefault
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const mine = view.assigned === 'me' ? await listAssigneesOf(tx, actor.id) : []
    const snoozes = await listSnoozes(tx, actor.id)
    const filters = openFilters(view, mine, snoozes)
    const isFiltered = Object.values(view).some((value) => value !== undefined)
    // Read before the rows: what happens in between is then both in the rows and in the event
    // stream, rather than in neither.
    const eventCursor = encodeEventCursor(await currentCursor(tx))
    const listed = q
      ? presentPage(await loadSearchResults(tx, actor.id, q, filters, cursor, size + 1), size, snoozes)
      : isFiltered
        ? presentPage(await loadFiltered(tx, actor.id, filters, cursor, size + 1), size, snoozes)
        : presentPage(await loadByThread(tx, actor.id, filters, snoozes, cursor, size + 1), size, snoozes)
    const snoozed = {
      taskIds: snoozes.map(({ taskId }) => taskId),
      until: snoozes[0]?.until.toISOString() ?? null,
    }
    return { ...listed, snoozed, eventCursor }
  })
}

/** `mine`: the ids of this person and of their groups. */
function openFilters(
  { app, type, priority, assigned, late, snoozed }: ViewFilters,
  mine: string[],
  snoozes: Snooze[],
): OpenFilters {
  return {
    app,
    type,
    priority: priority && priorities.indexOf(priority),
    assignedTo: assigned === 'none' ? null : assigned && mine,
    late: late && true,
    ...(snoozed ? { taskIds: snoozes.map(({ taskId }) => taskId) } : { without: snoozes }),
  }
}

/**
 * Counts the tasks that match and wait for people. Tasks that wait for the agent are not counted:
 * `waiting` is 0.
 */
export async function countMatching(
  tx: Transaction,
  view: ViewFilters,
  mine: string[],
  snoozes: Snooze[],
): Promise<InboxCounts> {
  return countsOf(await countFiltered(tx, openFilters(view, mine, snoozes), maxCounted))
}

function presentPage<Row extends InboxTaskRow>(listed: Listed<Row>, size: number, snoozes: Snooze[]) {
  const { rows, nextCursor } = toPage(listed.rows, size, listed.positionOf)
  return { rows: presentInboxRows(rows, snoozes), nextCursor, counts: listed.counts }
}

/** The whole inbox, in the order of threads, then the tasks that wait for the agent. */
async function loadByThread(
  tx: Transaction,
  userId: string,
  filters: OpenFilters,
  snoozes: Snooze[],
  cursor: string | undefined,
  limit: number,
): Promise<Listed<InboxTaskRow & Partial<RankedTaskRow>>> {
  const after = cursor === undefined ? undefined : decodeThreadPosition(cursor)
  const startsAmongWaiting = after?.rank === waitingRank
  const rows = startsAmongWaiting ? [] : await listInboxRows(tx, userId, after, limit, snoozes)
  return {
    rows: await withWaiting(tx, userId, rows, filters, startsAmongWaiting ? after : undefined, limit),
    counts: await loadCounts(tx, filters, await countOpen(tx, maxCounted, snoozes)),
    // The order of tasks that wait for the agent does not depend on their threads.
    positionOf: (row) => [
      row.rank ?? waitingRank,
      (row.oldestOpenAt ?? row.createdAt).toISOString(),
      row.threadId,
      row.priority,
      row.createdAt.toISOString(),
      row.id,
    ],
  }
}

function decodeThreadPosition(cursor: string) {
  const [rank, oldestOpenAt, threadId, priority, at, taskId] = decodeCursor(cursor, 'ntsnts')
  return { rank, oldestOpenAt, threadId, priority, at, taskId }
}

/**
 * Fills the page with tasks that wait for the agent. `after`: where the previous page ended, if it
 * ended among such tasks.
 */
async function withWaiting<Row extends InboxTaskRow>(
  tx: Transaction,
  userId: string,
  rows: Row[],
  filters: OpenFilters,
  after: TaskPosition | undefined,
  limit: number,
): Promise<(Row | InboxTaskRow)[]> {
  if (rows.length === limit) return rows
  return [...rows, ...(await listWaiting(tx, userId, filters, after, limit - rows.length))]
}

async function loadCounts(
  tx: Transaction,
  filters: OpenFilters,
  counted: PriorityCount[],
): Promise<InboxCounts> {
  return { ...countsOf(counted), waiting: await countWaiting(tx, filters, limits.countPerPriority) }
}

async function loadFiltered(
  tx: Transaction,
  userId: string,
  filters: OpenFilters,
  cursor: string | undefined,
  limit: number,
): Promise<Listed<InboxTaskRow>> {
  let startsAmongWaiting = false
  let after: TaskPosition | undefined
  if (cursor !== undefined) {
    // In a cursor, waitingRank is added to the priority of tasks that wait for the agent: such
    // tasks follow all others.
    const [position, at, taskId] = decodeCursor(cursor, 'nts')
    startsAmongWaiting = position >= waitingRank
    after = { priority: position % waitingRank, at, taskId }
  }
  const rows = startsAmongWaiting ? [] : await listFiltered(tx, userId, filters, after, limit)
  return {
    rows: await withWaiting(tx, userId, rows, filters, startsAmongWaiting ? after : undefined, limit),
    counts: await loadCounts(tx, filters, await countFiltered(tx, filters, maxCounted)),
    positionOf: (row) => [
      row.priority + (row.agentDueAt === null ? 0 : waitingRank),
      (filters.late ? row.answerBy! : row.createdAt).toISOString(),
      row.id,
    ],
  }
}

async function loadSearchResults(
  tx: Transaction,
  userId: string,
  q: string,
  filters: OpenFilters,
  cursor: string | undefined,
  limit: number,
): Promise<Listed<InboxTaskRow>> {
  const position = decodePosition(cursor)
  // A search also finds snoozed tasks.
  const { without: _, ...searchFilters } = filters
  const { app, type, taskIds, ...others } = searchFilters
  const search = (before: { at: string; id: string } | undefined, max: number) =>
    taskIds
      ? searchAmong(tx, q, taskIds, before)
      : searchTaskIds(
          tx,
          q,
          { ...others, status: 'open', apps: app ? [app] : undefined, types: type ? [type] : undefined },
          before,
          max,
        )
  const isId = TaskId.safeParse(q.trim()).success
  // The counts are about the first matches, also on a later page.
  const firstIds = isId ? [q.trim()] : await search(undefined, maxSearchCount + 1)
  const first = await findOpen(tx, userId, firstIds, searchFilters)
  const rows = position
    ? await findOpen(tx, userId, isId ? [] : await search(position, limit), searchFilters)
    : first
  return {
    rows: rows.slice(0, limit),
    counts: countsOfFound(first),
    positionOf: (row) => [row.createdAt.toISOString(), row.id],
  }
}

function countsOf(counted: PriorityCount[]): InboxCounts {
  const byPriority = { urgent: 0, high: 0, normal: 0, low: 0 }
  for (const { priority, count } of counted)
    byPriority[priorities[priority]!] = Math.min(count, limits.countPerPriority)
  return {
    open: Object.values(byPriority).reduce((sum, count) => sum + count, 0),
    byPriority,
    waiting: 0,
    hasMore: counted.some(({ count }) => count > limits.countPerPriority),
  }
}

function countsOfFound(found: InboxTaskRow[]): InboxCounts {
  const shown = found.slice(0, maxSearchCount)
  const forPeople = shown.filter(({ agentDueAt }) => agentDueAt === null)
  const countPriority = (wanted: number) => forPeople.filter(({ priority }) => priority === wanted).length
  return {
    ...countsOf(priorities.map((_, priority) => ({ priority, count: countPriority(priority) }))),
    waiting: shown.length - forPeople.length,
    hasMore: found.length > maxSearchCount,
  }
}
