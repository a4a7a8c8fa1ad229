import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { DomainProblem } from '../problems.ts'
import type { ReviewRefusal } from './judge.ts'
import { presentReview } from './present-review.ts'

export function explainRefusal(refusal: ReviewRefusal, task: TaskRow): DomainProblem {
  if (refusal === 'answered')
    return new DomainProblem('already_answered', 'You have already answered this task. Nothing was changed.')
  return new DomainProblem('not_a_reviewer', `${whyNot(refusal, task)} Nothing was recorded.`)
}

export function whyNot(refusal: ReviewRefusal, task: TaskRow): string {
  switch (refusal) {
    case 'answered':
      return 'You have answered this task.'
    case 'requester':
      return 'This task was sent by you or with your API key or connected app, so someone else must answer it.'
    case 'excluded':
      return 'The sender excluded you from this task. Someone else must answer it.'
    case 'not verified':
      return 'This task requires a verified email address. Verify yours under Settings, Your account.'
    case 'command line':
      return 'This task cannot be answered at the command line. Answer it in the inbox.'
    case 'not named':
      return `Only ${describeReviewers(task)} may answer this task.`
    case 'no deadlock':
      return `Only ${describeReviewers(task)} may answer this task. An admin may answer it once all of them have answered without a decision.`
  }
}

function describeReviewers(task: TaskRow): string {
  const { by, within } = presentReview(task)!
  if (by?.length === 0 || within?.length === 0) return 'people or groups that are no longer in the workspace'
  const names = by?.join(', ') ?? 'members of the workspace'
  return within ? `those of ${names} who are also among ${within.join(', ')}` : names
}
