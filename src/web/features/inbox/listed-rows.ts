import type { InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task.ts'

/** How a task ended while it was listed. */
export type Ending = {
  how: 'handled' | 'cancelled' | 'expired' | 'gone'
  by?: string | undefined
  /** The action that was chosen. */
  title?: string | undefined
}

type RowPosition = {
  /** The group it stands in: its thread's highest priority when it was loaded; under filters, its own. */
  rank: Priority
  /** Which page brought it. */
  page: number
}
export type NearRow = InboxRow & RowPosition & { ending?: Ending }
/** Far from where the person reads only the place is kept; what stands there is read again when it comes into view. */
type FarRow = RowPosition & { taskId: string; threadId: string; isFar: true }
export type ListedRow = NearRow | FarRow

export function isFar(row: ListedRow): row is FarRow {
  return 'isFar' in row
}

export function isEnded(row: ListedRow): boolean {
  return !isFar(row) && row.ending !== undefined
}

/**
 * Appends a page. A page may repeat a row whose thread moved meanwhile; the first one stays. A thread stands at the
 * rank of its most pressing task and comes most pressing first, so its first row names the group of all.
 */
export function ranked(before: ListedRow[], rows: InboxRow[], page: number, byThread: boolean): ListedRow[] {
  const known = new Set(before.map((row) => row.taskId))
  const rankOf = new Map(byThread ? before.map((row) => [row.threadId, row.rank]) : [])
  const all = [...before]
  for (const row of rows) {
    if (known.has(row.taskId)) continue
    known.add(row.taskId)
    const rank = rankOf.get(row.threadId) ?? row.priority
    if (byThread) rankOf.set(row.threadId, rank)
    all.push({ ...row, rank, page })
  }
  return all
}

/** A page that was far is back. What it no longer holds has ended or moved. */
export function filledIn(rows: ListedRow[], page: number, fresh: InboxRow[]): ListedRow[] {
  const byId = new Map(fresh.map((row) => [row.taskId, row]))
  return rows.flatMap((row) => {
    if (!isFar(row) || row.page !== page) return [row]
    const found = byId.get(row.taskId)
    return found ? [{ ...found, rank: row.rank, page }] : []
  })
}

const mostPages = 20

/** Keeps about 2,000 rows: the pages around the one that was just read, and the open task. */
export function withoutFar(rows: ListedRow[], page: number, keep: string | undefined): ListedRow[] {
  return rows.map((row) => {
    if (isFar(row) || row.taskId === keep || Math.abs(row.page - page) < mostPages / 2) return row
    const { taskId, threadId, rank } = row
    return { taskId, threadId, rank, page: row.page, isFar: true }
  })
}

/** Where "next" goes: the first open row after this one that no colleague has open, else the nearest before it. */
export function nextTask(rows: ListedRow[], taskId: string, me: string, now: number): string | undefined {
  const here = rows.findIndex((row) => row.taskId === taskId)
  const isFree = (row: ListedRow) => {
    const claim = isFar(row) ? undefined : row.claim
    const isTaken = claim && claim.userId !== me && Date.parse(claim.until) > now
    return row.taskId !== taskId && !isEnded(row) && !isTaken
  }
  return (rows.slice(here + 1).find(isFree) ?? rows.slice(0, Math.max(0, here)).findLast(isFree))?.taskId
}

/**
 * What a look at the first page tells of the rows that are listed: those it has are brought up to date, those it should
 * have and has not are no longer open, or stand elsewhere.
 */
export function lookedAt(rows: ListedRow[], fresh: InboxRow[], isAll: boolean): ListedRow[] {
  const byId = new Map(fresh.map((row) => [row.taskId, row]))
  const last = isAll ? rows.length : rows.findLastIndex((row) => byId.has(row.taskId))
  return rows.map((row, index) => {
    if (isFar(row) || (row.ending && row.ending.how !== 'gone')) return row
    const found = byId.get(row.taskId)
    if (found) return { ...found, rank: row.rank, page: row.page }
    return index < last ? { ...row, ending: { how: 'gone' } } : row
  })
}
