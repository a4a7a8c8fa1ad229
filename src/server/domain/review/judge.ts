import { decisiveAnswer } from '../../../contract/decisive-answer.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import type { MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import type { PersonActor } from '../actor.ts'

/** The part of an answer that decides whether the task has its result. */
export type JudgedAnswer = { userId: string; actionId: string; digest: string }

export type ReviewState<A extends JudgedAnswer> =
  | { state: 'open' }
  /** Everybody who may answer has answered, and too few of the answers agree. Admins may then answer too. */
  | { state: 'deadlock' }
  | { state: 'decided'; by: A }

/**
 * Whether the answers to the current revision, oldest first, decide a reviewed task. An answer still
 * counts after the person has lost the right to answer. How an admin's answer counts in a deadlock
 * is in answer-reviewed-task.ts.
 */
export function judge<A extends JudgedAnswer>(
  review: StoredReview,
  people: MemberWithGroups[],
  answers: A[],
): ReviewState<A> {
  const decisive = decisiveAnswer(review, answers)
  if (decisive) return { state: 'decided', by: decisive }
  const answered = new Set(answers.map(({ userId }) => userId))
  const missing = people.some((person) => mayReview(review, person) && !answered.has(person.userId))
  return { state: missing ? 'open' : 'deadlock' }
}

/** Why a person may not answer now. The messages are in explain-refusal.ts. */
export type ReviewRefusal =
  | 'answered'
  | 'requester'
  | 'excluded'
  | 'not named'
  | 'not verified'
  | 'command line'
  | 'no deadlock'

/** Returns undefined if the person may answer. */
export function refusalOf(
  review: StoredReview,
  people: MemberWithGroups[],
  answers: JudgedAnswer[],
  who: Pick<PersonActor, 'id' | 'via'>,
): ReviewRefusal | undefined {
  if (answers.some(({ userId }) => userId === who.id)) return 'answered'
  if (review.requesters?.includes(who.id)) return 'requester'
  if (review.notBy?.includes(who.id)) return 'excluded'
  const person = people.find(({ userId }) => userId === who.id)
  if (!person) return 'not named'
  const isAdmin = person.role !== 'member'
  const mayBreakDeadlock = isAdmin && judge(review, people, answers).state === 'deadlock'
  if (!isNamed(review, person) && !mayBreakDeadlock) {
    // An escalation names them, but they are behind the task.
    if (isEscalatedTo(review, person)) return 'requester'
    return isAdmin ? 'no deadlock' : 'not named'
  }
  if (isStrict(review) && !person.isVerified) return 'not verified'
  if (isStrict(review) && who.via === 'cli') return 'command line'
  return undefined
}

/** Whether the review allows a person to answer. Deadlocks and earlier answers are not considered. */
export function mayReview(review: StoredReview, person: MemberWithGroups): boolean {
  if (review.requesters?.includes(person.userId) || review.notBy?.includes(person.userId)) return false
  return isNamed(review, person) && (!isStrict(review) || person.isVerified)
}

/**
 * Whether reviewers need a verified address, because several must agree or the people behind the
 * task may not answer.
 */
export function isStrict({ needed, requesters }: StoredReview): boolean {
  return needed > 1 || requesters !== undefined
}

/**
 * Whether both `by` and `within` contain the person (a missing list contains everybody), or the
 * task was escalated to them and they are not behind it.
 */
function isNamed(review: StoredReview, person: MemberWithGroups): boolean {
  const { by, within, behind = [] } = review
  if (isAmong(by, person) && isAmong(within, person)) return true
  return isEscalatedTo(review, person) && !behind.includes(person.userId)
}

function isEscalatedTo({ escalatedTo = [] }: StoredReview, person: MemberWithGroups): boolean {
  return isAmong(escalatedTo, person)
}

function isAmong(ids: string[] | undefined, { userId, groups }: MemberWithGroups): boolean {
  return ids === undefined || ids.includes(userId) || groups.some((id) => ids.includes(id))
}
