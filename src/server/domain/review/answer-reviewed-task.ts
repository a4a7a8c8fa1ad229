import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredReview } from '../../storage/engine/task-tables.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { insertAnswer, listAnswers, lockAnswers, type ReviewAnswerRow } from '../../storage/review/answers.ts'
import { listMembersWithGroups, type MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import { endTaskWaitingForLock } from '../../storage/tasks/end-task.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { type ActionAnswer, handledEnding } from '../tasks/endings.ts'
import { requireTask } from '../tasks/get-task.ts'
import { presentAnswer } from '../tasks/present-task.ts'
import { endIfOverdueThenExplain, taskNotOpen, taskRevised } from '../tasks/task-not-open.ts'
import { currentReview } from './current-review.ts'
import { explainRefusal } from './explain-refusal.ts'
import { judge, refusalOf } from './judge.ts'

export type ReviewedAnswer = ActionAnswer & { digest: string }

/**
 * Records the answer of one person to a task with a review, and ends the task if the answers decide
 * it. The lock on the thread serializes concurrent answers, and everything that the decision
 * depends on is read while it is held. Returns the task as it is afterwards.
 */
export async function answerReviewedTask(
  service: Service,
  actor: PersonActor,
  { id, revision }: TaskRow,
  answer: ReviewedAnswer,
): Promise<TaskRow> {
  const { database, metrics } = service
  const result = await database
    .inWorkspace(actor.workspaceId, async (tx) => {
      await lockThread(tx, id)
      const task = await requireTask(tx, id)
      if (task.status !== 'open') throw taskNotOpen(task)
      if (task.revision !== revision) throw taskRevised(task)
      const review = await currentReview(tx, task)
      const people = await listMembersWithGroups(tx)
      const refusal = refusalOf(review, people, await listAnswers(tx, task), actor)
      if (refusal) throw explainRefusal(refusal, task)
      // Returned rather than thrown, so that the transaction commits and the overdue task ends.
      if (!(await insertAnswer(tx, task, toRow(actor, answer))))
        return { problem: await endIfOverdueThenExplain(service, tx, id) }
      const answers = await lockAnswers(tx, task)
      const own = answers.find(({ userId }) => userId === actor.id)!
      const decisive = decide(review, people, answers, own)
      if (!decisive) await announce(tx, task, answers.length, actor)
      else if (!(await endAs(tx, task, decisive, answers, actor))) throw new DeadlinePassed()
      return { task: await requireTask(tx, id), isDecided: decisive !== undefined, problem: undefined }
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof DeadlinePassed)) throw error
      return {
        problem: await database.inWorkspace(actor.workspaceId, (tx) =>
          endIfOverdueThenExplain(service, tx, id),
        ),
      }
    })
  if (result.problem) throw result.problem
  if (result.isDecided) metrics.tasksEnded.inc({ status: 'handled' })
  return result.task
}

/**
 * The answer that the task ends with. If at least `needed` people have answered before and are in a
 * deadlock, `own` is the answer of an admin, which decides alone. If fewer people are in a
 * deadlock, because fewer may answer, the answer of an admin counts like theirs.
 */
function decide(
  review: StoredReview,
  people: MemberWithGroups[],
  answers: ReviewAnswerRow[],
  own: ReviewAnswerRow,
): ReviewAnswerRow | undefined {
  const others = answers.filter((answer) => answer !== own)
  const hasEnoughAnswers = others.length >= review.needed
  if (hasEnoughAnswers && judge(review, people, others).state === 'deadlock') return own
  const result = judge(review, people, answers)
  return result.state === 'decided' ? result.by : undefined
}

/** Returns false if the deadline has passed. */
async function endAs(
  tx: Transaction,
  task: TaskRow,
  decisive: ReviewAnswerRow,
  answers: ReviewAnswerRow[],
  actor: PersonActor,
): Promise<boolean> {
  const { actionId, actionTitle, data, presented, edits, editLevel, bulkId } = decisive
  const answer: ActionAnswer = {
    id: actionId,
    title: actionTitle,
    data,
    presented: presented ?? undefined,
    edits: edits && editLevel ? { edits, level: editLevel } : undefined,
    bulkId: bulkId ?? undefined,
  }
  const decider = {
    id: decisive.userId,
    email: decisive.answeredBy,
    emailVerified: decisive.isVerified,
    via: decisive.via as PersonActor['via'],
    from: actor.from,
  }
  const ending = handledEnding(task, answer, decider)
  const body = { ...ending.body, answers: answers.map(presentAnswer) }
  const { presented: _, presentedSha256: __, ...details } = ending.audit.details!
  const given = answers.map(({ userId, actionId }) => ({ userId, actionId }))
  // What was shown to someone else is not part of this person's entry.
  const shown = decisive.userId === actor.id ? ending.audit.details! : details
  const audit = { ...ending.audit, actor: actor.id, details: { ...shown, answers: given } }
  return (await endTaskWaitingForLock(tx, { ...ending, isReviewed: true, body, audit })) !== undefined
}

/** Rolls back an answer: the deadline passed after the answer was recorded, before the task ended. */
class DeadlinePassed extends Error {}

/** The event says neither who answered nor what they answered, so as not to influence other reviewers. */
async function announce(
  tx: Transaction,
  task: TaskRow,
  given: number,
  { id, from }: PersonActor,
): Promise<void> {
  const body = { given, needed: task.review!.needed }
  const type = 'service/task_answered'
  await recordTaskEvent(tx, { type, taskId: task.id, threadId: task.threadId, body })
  const details = { given, revision: task.revision }
  await appendAudit(tx, { actor: id, from, action: 'task.answered', subject: task.id, details })
}

function toRow(actor: PersonActor, { id, title, data, digest, presented, edits, bulkId }: ReviewedAnswer) {
  return {
    userId: actor.id,
    actionId: id,
    actionTitle: title,
    data,
    digest,
    answeredBy: actor.email,
    isVerified: actor.emailVerified,
    via: actor.via,
    presented,
    edits: edits?.edits,
    editLevel: edits?.level,
    bulkId,
  }
}
