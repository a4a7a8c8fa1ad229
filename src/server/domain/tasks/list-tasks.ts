import { TaskId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { priorities } from '../../../contract/task-fields.ts'
import {
  type ListTasksAsMember,
  type MemberTaskPage,
  type SearchTasksAsMember,
  summaryOf,
} from '../../../contract/task-list.ts'
import {
  findTask,
  listTasks as listTaskRows,
  searchTasks as searchTaskRows,
  type TaskRow,
} from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { decodePosition, toPage } from '../cursor.ts'
import type { Service } from '../service.ts'
import { mayAccess, narrowToLimits } from './key-limits.ts'
import { presentTaskTo } from './present-task.ts'

/** Newest first. */
export async function listTasks(
  { database, publicUrl }: Service,
  actor: Actor,
  { fields, limit, cursor, sort = 'createdAt', priority, ...filters }: ListTasksAsMember,
): Promise<MemberTaskPage> {
  const size = limit ?? limits.pageDefault
  const position = decodePosition(cursor)
  const priorityIndex = priority && priorities.indexOf(priority)
  const narrowed = narrowToLimits(actor, filters)
  const rows = narrowed
    ? await database.inWorkspace(actor.workspaceId, (tx) =>
        listTaskRows(tx, { ...narrowed, priority: priorityIndex }, sort, position, size + 1),
      )
    : []
  const page = presentPage(actor, rows, size, publicUrl, (row) =>
    sort === 'createdAt' ? row.createdAt : row.endedAt!,
  )
  return fields === 'summary' ? { ...page, tasks: page.tasks.map(summaryOf) } : page
}

/** Searches by words of type, name and description, or by the id of a task. Newest first. */
export async function searchTasks(
  { database, publicUrl }: Service,
  actor: Actor,
  { query, limit, cursor, ...filters }: SearchTasksAsMember,
): Promise<MemberTaskPage> {
  const size = limit ?? limits.pageDefault
  const position = decodePosition(cursor)
  const narrowed = narrowToLimits(actor, filters)
  const rows = await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (!narrowed) return []
    if (!TaskId.safeParse(query.trim()).success)
      return await searchTaskRows(tx, query, narrowed, position, size + 1)
    const task = await findTask(tx, query.trim())
    return task && mayAccess(actor, task) && matchesFilters(task, filters) ? [task] : []
  })
  return presentPage(actor, rows, size, publicUrl, (row) => row.createdAt)
}

/** For a search by id, which does not use the filters of searchTaskRows. */
function matchesFilters(
  task: TaskRow,
  { handledAfter, handledBefore, ...filters }: Omit<SearchTasksAsMember, 'query' | 'limit' | 'cursor'>,
): boolean {
  const fields = Object.entries(filters) as [keyof typeof filters, string | undefined][]
  const endedAt = task.status === 'handled' ? task.endedAt : null
  return (
    fields.every(([field, wanted]) => wanted === undefined || task[field] === wanted) &&
    (!handledAfter || (endedAt !== null && endedAt > new Date(handledAfter))) &&
    (!handledBefore || (endedAt !== null && endedAt < new Date(handledBefore)))
  )
}

function presentPage(
  actor: Actor,
  found: TaskRow[],
  size: number,
  publicUrl: string,
  sortedBy: (row: TaskRow) => Date,
): MemberTaskPage {
  const fitting = Math.min(size, countFitting(found))
  const { rows, nextCursor } = toPage(found, fitting, (row) => [sortedBy(row).toISOString(), row.id])
  return { tasks: rows.map((row) => presentTaskTo(actor, row, publicUrl)), nextCursor }
}

// Writing a response of 100 answers of 256 KiB each would block the process for a quarter of a second.
const maxAnswerCharacters = 2 * 1024 * 1024

/** How many of these tasks fit into a page: at least one, until their answers have this many characters. */
function countFitting(found: TaskRow[]): number {
  let characters = 0
  const end = found.findIndex(({ answer, edits, answers }) => {
    characters += JSON.stringify([answer, edits, answers]).length
    return characters > maxAnswerCharacters
  })
  return end === -1 ? found.length : Math.max(end, 1)
}
