import type { ReviewForMember } from '../../../contract/review.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listAnswers } from '../../storage/review/answers.ts'
import { listMembersWithGroups } from '../../storage/review/members-with-groups.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { presentAnswer } from '../tasks/present-task.ts'
import { currentReview } from './current-review.ts'
import { whyNot } from './explain-refusal.ts'
import { refusalOf } from './judge.ts'
import { presentReview } from './present-review.ts'

/** The review of a task for a person. While it is open, they see other answers only after their own. */
export async function loadReview(
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
): Promise<ReviewForMember> {
  const review = presentReview(task)!
  if (task.status !== 'open') return review
  const answers = await listAnswers(tx, task)
  const refusal = refusalOf(await currentReview(tx, task), await listMembersWithGroups(tx), answers, actor)
  if (refusal === undefined) return { ...review, you: 'may_answer' }
  if (refusal === 'answered') return { ...review, you: 'answered', answers: answers.map(presentAnswer) }
  return { ...review, you: 'may_not_answer', why: whyNot(refusal, task) }
}
