import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import { findPeopleBehind } from '../../storage/review/people-behind.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

/**
 * The review of a task, with everyone who is behind it by now: whoever received a secret of the key
 * later could have revised it.
 */
export async function currentReview(tx: Transaction, { review, createdBy }: TaskRow): Promise<StoredReview> {
  const { behind = [], requesters, ...rest } = review!
  const now = await findPeopleBehind(tx, createdBy)
  const withNow = (people: string[]) => [...new Set([...people, ...now])]
  return { ...rest, behind: withNow(behind), ...(requesters && { requesters: withNow(requesters) }) }
}
