import type { Review } from '../../../contract/review.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

export function presentReview({ review, reviewNames, answerCount }: TaskRow): Review | undefined {
  if (review === null) return undefined
  // Members who left and deleted groups have no name any more.
  const named = (ids: string[]) => ids.flatMap((id) => reviewNames?.[id] ?? [])
  const notBy = named([...new Set([...(review.notBy ?? []), ...(review.requesters ?? [])])])
  const withEscalation = (ids: string[]) => named([...new Set([...ids, ...(review.escalatedTo ?? [])])])
  return {
    ...(review.by && { by: withEscalation(review.by) }),
    ...(review.within && { within: withEscalation(review.within) }),
    ...(notBy.length > 0 && { notBy }),
    needed: review.needed,
    onDecline: review.onDecline,
    given: answerCount,
  }
}
