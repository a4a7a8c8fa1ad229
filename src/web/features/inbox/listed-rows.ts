import type { InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task-fields.ts'

/** How a task ended while it was listed. `missing`: the refreshed list no longer contains the task. */
export type Ending = {
  how: 'handled' | 'cancelled' | 'expired' | 'missing'
  by?: string | undefined
  /** Title of the chosen action. */
  title?: string | undefined
}

/** A section of the list: the tasks of one priority or, at the end, those that wait for the agent. */
export type RowSection = Priority | 'waiting'

type RowPosition = {
  /**
   * The section in which the row is listed. Without filters it is the highest priority of the task's
   * thread when the page was loaded, with filters the priority of the task. After a question or a
   * reply, the row stays in its section until the list is loaded again.
   */
  section: RowSection
  /**
   * Name of the task whose priority sets the section: the first one of the thread; with filters,
   * this task.
   */
  sectionSetBy: string
  /** Index of the page that contains the row. */
  page: number
}
export type LoadedRow = InboxRow & RowPosition & { ending?: Ending }
/**
 * The row of a task on a distant page keeps only its position. Its content is reloaded when it
 * scrolls into view.
 */
type UnloadedRow = RowPosition &
  Pick<InboxRow, 'taskId' | 'threadId' | 'revision'> & { isUnloaded: true; countedIn: RowSection }
export type ListedRow = LoadedRow | UnloadedRow

export function isUnloaded(row: ListedRow): row is UnloadedRow {
  return 'isUnloaded' in row
}

export function isWaiting({ conversation }: InboxRow): boolean {
  return conversation?.state === 'waiting'
}

export function conversationOf(rows: (ListedRow | InboxRow)[], taskId: string): InboxRow['conversation'] {
  const row = rows.find((other) => other.taskId === taskId)
  return row && 'conversation' in row ? row.conversation : undefined
}

/**
 * The section whose count includes the row. After a question or a reply it is not the one in which the
 * row is listed.
 */
export function countedIn(row: ListedRow): RowSection {
  if (isUnloaded(row)) return row.countedIn
  if (isWaiting(row)) return 'waiting'
  return row.section === 'waiting' ? row.priority : row.section
}

export function isEnded(row: ListedRow): boolean {
  return !isUnloaded(row) && row.ending !== undefined
}

/** This person has answered the task, and others must answer it too. */
export function hasOwnAnswer(row: ListedRow): boolean {
  return !isUnloaded(row) && row.review?.answered === true
}

/** Marks the row as answered by this person, unless the task was revised since. */
export function withOwnAnswer(row: ListedRow, answeredRevision: number | undefined): ListedRow {
  if (isUnloaded(row) || !row.review || row.review.answered || row.revision !== answeredRevision) return row
  return { ...row, review: { ...row.review, given: row.review.given + 1, answered: true } }
}

export function withAssignee(
  { assignedTo: _, ...row }: LoadedRow,
  assignedTo: string | undefined,
): LoadedRow {
  return assignedTo === undefined ? row : { ...row, assignedTo }
}

export function withClaim({ claim: _, ...row }: LoadedRow, claim: InboxRow['claim']): LoadedRow {
  return claim ? { ...row, claim } : row
}

/**
 * Appends a page. A row that an earlier page contains too, because its thread moved, is skipped. The
 * first row of a thread has the highest priority in the thread, which sets the section of all its rows.
 */
export function appendRows(
  before: ListedRow[],
  rows: InboxRow[],
  page: number,
  byThread: boolean,
): ListedRow[] {
  const listedIds = new Set(before.map((row) => row.taskId))
  const sections = new Map<string, Pick<RowPosition, 'section' | 'sectionSetBy'>>(
    before
      .filter(({ section }) => byThread && section !== 'waiting')
      .map(({ threadId, section, sectionSetBy }) => [threadId, { section, sectionSetBy }]),
  )
  const all = [...before]
  for (const row of rows) {
    if (listedIds.has(row.taskId)) continue
    listedIds.add(row.taskId)
    if (isWaiting(row)) {
      all.push({ ...row, section: 'waiting', sectionSetBy: row.name, page })
      continue
    }
    const position = sections.get(row.threadId) ?? { section: row.priority, sectionSetBy: row.name }
    if (byThread) sections.set(row.threadId, position)
    all.push({ ...row, ...position, page })
  }
  return all
}

export function positionOf({ section, sectionSetBy, page }: RowPosition): RowPosition {
  return { section, sectionSetBy, page }
}

/**
 * Fills the rows of a reloaded page. Tasks that the page no longer contains have ended or moved:
 * their rows are removed.
 */
export function fillPage(rows: ListedRow[], page: number, fresh: InboxRow[]): ListedRow[] {
  const byId = new Map(fresh.map((row) => [row.taskId, row]))
  return rows.flatMap((row) => {
    if (!isUnloaded(row) || row.page !== page) return [row]
    const freshRow = byId.get(row.taskId)
    return freshRow ? [{ ...freshRow, ...positionOf(row) }] : []
  })
}

// With pages of 100 rows, about 2,000 rows stay loaded.
const maxDistance = 9

/** Unloads the rows of pages that are far from the one just loaded, except that of the displayed task. */
export function unloadDistantPages(
  rows: ListedRow[],
  page: number,
  displayedId: string | undefined,
): ListedRow[] {
  return rows.map((row) => {
    if (isUnloaded(row) || row.taskId === displayedId || Math.abs(row.page - page) <= maxDistance) return row
    const { taskId, threadId, revision } = row
    return { taskId, threadId, revision, ...positionOf(row), isUnloaded: true, countedIn: countedIn(row) }
  })
}

/**
 * The first task after this one that waits for an answer of this person and that nobody else has
 * claimed. If there is none, the last such task before this one.
 */
export function nextTask(
  rows: ListedRow[],
  taskId: string,
  myUserId: string,
  now: number,
): string | undefined {
  const index = rows.findIndex((row) => row.taskId === taskId)
  const isFree = (row: ListedRow) => {
    const claim = isUnloaded(row) ? undefined : row.claim
    const isTaken = claim && claim.userId !== myUserId && Date.parse(claim.until) > now
    return (
      row.taskId !== taskId && !isEnded(row) && !isTaken && !hasOwnAnswer(row) && countedIn(row) !== 'waiting'
    )
  }
  return (rows.slice(index + 1).find(isFree) ?? rows.slice(0, Math.max(0, index)).findLast(isFree))?.taskId
}

/**
 * Updates the listed rows from a refetched first page. Rows that this page should contain but does not
 * contain have ended or moved, and are marked as missing.
 */
export function refreshRows(rows: ListedRow[], fresh: InboxRow[], isWholeList: boolean): ListedRow[] {
  const byId = new Map(fresh.map((row) => [row.taskId, row]))
  const last = isWholeList ? rows.length : rows.findLastIndex((row) => byId.has(row.taskId))
  return rows.map((row, index) => {
    if (isUnloaded(row) || (row.ending && row.ending.how !== 'missing')) return row
    const freshRow = byId.get(row.taskId)
    if (freshRow) return { ...freshRow, ...positionOf(row) }
    // Waiting tasks are at the end of the list, on a page that was not refetched.
    if (isWaiting(row) && !isWholeList) return row
    return index < last ? { ...row, ending: { how: 'missing' } } : row
  })
}

/**
 * "3 of 12": the position among the tasks that wait for people. Undefined for a task that has
 * ended or waits for the agent.
 */
export function positionLabel(
  rows: ListedRow[],
  index: number,
  listedCount: number | string,
): string | undefined {
  const waitsForPeople = (row: ListedRow) => !isEnded(row) && countedIn(row) !== 'waiting'
  const row = rows[index]
  if (!row || !waitsForPeople(row)) return undefined
  return `${rows.slice(0, index).filter(waitsForPeople).length + 1} of ${listedCount}`
}
