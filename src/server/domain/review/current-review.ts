import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import { findPeopleBehind } from '../../storage/review/people-behind.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

/**
 * The stored review of a task, in which the people behind the task include those who received a
 * secret of its API key only after the task was sent: they could have revised it.
 */
export async function currentReview(tx: Transaction, { review, createdBy }: TaskRow): Promise<StoredReview> {
  const { behind = [createdBy], requesters, ...rest } = review!
  const behindNow = await findPeopleBehind(tx, createdBy)
  const withLater = (stored: string[]) => [...new Set([...stored, ...behindNow])]
  return { ...rest, behind: withLater(behind), ...(requesters && { requesters: withLater(requesters) }) }
}
