import { reservedActions } from './reserved-actions.ts'
import type { OnDecline } from './review.ts'

const declining: string[] = [reservedActions.markDone.id, reservedActions.rejectRequest.id]

/**
 * The answer that decides a task with a review: the earliest of `needed` that agree or, with
 * `onDecline: "end"`, the first that declines. Marking done declines too: the person chose none of
 * the actions. Answers are oldest first; those with the same digest
 * agree.
 */
export function decisiveAnswer<A extends { actionId: string; digest: string }>(
  { needed, onDecline }: { needed: number; onDecline: OnDecline },
  answers: A[],
): A | undefined {
  const decline = onDecline === 'end' && answers.find(({ actionId }) => declining.includes(actionId))
  if (decline) return decline
  return answers.find(({ digest }) => answers.filter((other) => other.digest === digest).length >= needed)
}
