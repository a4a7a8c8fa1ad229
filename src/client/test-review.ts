import type { CreateTask } from '../contract/create-task.ts'
import { decisiveAnswer } from '../contract/decisive-answer.ts'
import { editsOf } from '../contract/edits/edits-of.ts'
import { comparableAnswer } from '../contract/forms/comparable-answer.ts'
import { groupPrefix } from '../contract/group-prefix.ts'
import { reservedActions } from '../contract/reserved-actions.ts'
import type { Review } from '../contract/review.ts'
import { noAnswerAtDeadline, tooFewReviewers } from '../contract/review-violations.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { Violation } from '../contract/violation.ts'
import { defaultPerson, now, problem, type TaskStore, type TestAnswer } from './test-store.ts'

/** Who answers in a test inbox, and what they have seen. */
export type Answering = {
  /** Email address of who answers. Default: human@handrail.test. */
  by?: string
  /** The revision that they saw. Default: the current one. An earlier one is refused with `task_revised`. */
  revision?: number
  /** An admin decides with this answer, because everybody who may answer has done so without a result. */
  decidesDeadlock?: boolean
}

type ChosenAction = Pick<NonNullable<TaskRecord['actions']>[number], 'id' | 'title' | 'schema' | 'ui'>

/** The review of a new task. Undefined if anyone may answer and one answer is enough. */
export function newReview({ review }: CreateTask): Review | undefined {
  const { by, notBy, needed = 1, onDecline = 'end' } = review ?? {}
  if (needed === 1 && !by && !notBy) return undefined
  return { ...(by && { by }), ...(notBy && { notBy }), needed, onDecline, given: 0 }
}

/**
 * Why the service would refuse this review. The test inbox does not know the members of groups, so a
 * group counts as large enough.
 */
export function checkReview(review: Review, { onExpire }: CreateTask): Violation[] {
  const { needed } = review
  const count = peopleOf(review)?.length
  return [
    ...(count !== undefined && count < needed
      ? [tooFewReviewers({ needed, isNarrowed: false, isStrict: needed > 1 }, count)]
      : []),
    ...(onExpire ? [noAnswerAtDeadline] : []),
  ]
}

/** Ends the task, or counts the answer if the review needs more of them. */
export function giveAnswer(
  store: TaskStore,
  task: TaskRecord,
  action: ChosenAction,
  data: Record<string, unknown>,
  { by = defaultPerson, decidesDeadlock = false }: Answering,
): void {
  // Feedback is free text, so rejections agree whatever it says.
  const compared = action.id === reservedActions.rejectRequest.id ? {} : data
  const digest = comparableAnswer(action, compared, task.context?.data)
  const own = {
    actionId: action.id,
    actionTitle: action.title,
    data,
    by,
    at: now(),
    via: 'web',
    digest,
    edits: editsOf(action, task.context?.data, data)?.edits,
  } as const
  const { review } = task
  if (!review) {
    store.handle(task, own)
    return
  }
  const earlier = store.answers.get(task) ?? []
  throwIfRefused(review, earlier, by.toLowerCase(), decidesDeadlock)
  const answers = [...earlier, own]
  store.answers.set(task, answers)
  store.change(task, { review: { ...review, given: answers.length } })
  const decisive = decidesDeadlock ? own : decisiveAnswer(review, answers)
  if (decisive) store.handle(task, decisive, answers)
}

function throwIfRefused(review: Review, earlier: TestAnswer[], by: string, decidesDeadlock: boolean): void {
  const hasAnswered = (person: string) => earlier.some((answer) => answer.by.toLowerCase() === person)
  if (hasAnswered(by))
    throw problem('already_answered', 409, `${by} has already answered this task. Nothing was changed.`)
  if (review.notBy?.includes(by))
    throw problem('not_a_reviewer', 403, `The sender excluded ${by} from this task.`)
  const people = peopleOf(review)
  if (decidesDeadlock) {
    if (earlier.length >= review.needed && (people ?? []).every(hasAnswered)) return
    const detail = 'An admin decides once everybody who may answer has, without a result.'
    throw problem('not_a_reviewer', 403, detail)
  }
  if (people && !people.includes(by))
    throw problem('not_a_reviewer', 403, `Only ${people.join(', ')} may answer this task, not ${by}.`)
}

/** Everybody who may answer, if the review names people and no group. */
function peopleOf({ by, notBy = [] }: Review): string[] | undefined {
  if (!by || by.some((reviewer) => reviewer.startsWith(groupPrefix))) return undefined
  return [...new Set(by)].filter((person) => !notBy.includes(person))
}
