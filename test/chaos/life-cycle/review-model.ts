import type { Choice } from './model.ts'
import type { Person } from './world.ts'

// Who may answer a task with a review, and when it is decided: lists and loops again.

type Vote = Choice & { by: string }

export type ModelReview = {
  needed: number
  onDecline: 'end' | 'collect'
  /** To the current revision, oldest first. */
  votes: Vote[]
  escalatedTo: string | undefined
}

function hasVoted({ votes }: ModelReview, email: string): boolean {
  return votes.some(({ by }) => by === email)
}

function reviewersOf(group: string[], { escalatedTo }: ModelReview): string[] {
  return [...group, ...(escalatedTo === undefined ? [] : [escalatedTo])]
}

function isDeadlock(group: string[], review: ModelReview): boolean {
  return reviewersOf(group, review).every((email) => hasVoted(review, email))
}

export function refusalOf(
  group: string[],
  review: ModelReview,
  { email, isAdmin }: Person,
): 'already_answered' | 'not_a_reviewer' | undefined {
  if (hasVoted(review, email)) return 'already_answered'
  if (reviewersOf(group, review).includes(email)) return undefined
  return isAdmin && isDeadlock(group, review) ? undefined : 'not_a_reviewer'
}

/** Records a vote. Returns the one that the task ends with, if that is decided now. */
export function vote(group: string[], review: ModelReview, given: Vote): Vote | undefined {
  const { votes, needed, onDecline } = review
  const isTieBreak = votes.length >= needed && isDeadlock(group, review)
  votes.push(given)
  if (isTieBreak || (onDecline === 'end' && given.actionId.startsWith('service:'))) return given
  const agreeing = ({ actionId }: Vote) => votes.filter((other) => other.actionId === actionId)
  return votes.find((one) => agreeing(one).length >= needed)
}
