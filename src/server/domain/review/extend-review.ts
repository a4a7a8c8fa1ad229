import type { StoredReview } from '../../storage/engine/schema.ts'
import type { Person } from '../../storage/review/answers.ts'
import { mayReview } from './judge.ts'

/**
 * The review of a task that is escalated: the target may answer too. The people behind the task gain nothing by it, neither
 * as the target nor as a member of that group.
 */
export function extendReview(
  review: StoredReview,
  target: string,
  people: Person[],
  behind: string[],
): StoredReview {
  const { by, within, notBy = [] } = review
  if (by === undefined) return review
  const gaining = people.filter(({ userId }) => behind.includes(userId) && !notBy.includes(userId))
  const excluded = gaining.filter((person) => !mayReview(review, person)).map(({ userId }) => userId)
  const withTarget = (ids: string[]) => [...new Set([...ids, target])]
  return {
    ...review,
    by: withTarget(by),
    ...(within && { within: withTarget(within) }),
    ...(notBy.length + excluded.length > 0 && { notBy: [...notBy, ...excluded] }),
  }
}
