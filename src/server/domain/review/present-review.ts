import type { Review } from '../../../contract/review.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

export function presentReview({ review, reviewNames, answerCount }: TaskRow): Review | undefined {
  if (review === null) return undefined
  // Members who left and deleted groups have no name any more.
  const named = (ids: string[]) => ids.flatMap((id) => reviewNames?.[id] ?? [])
  const notBy = [...(review.notBy ?? []), ...(review.requesters ?? [])]
  return {
    ...(review.by && { by: named(review.by) }),
    ...(review.within && { within: named(review.within) }),
    ...(notBy.length > 0 && { notBy: named(notBy) }),
    needed: review.needed,
    onDecline: review.onDecline,
    given: answerCount,
  }
}
