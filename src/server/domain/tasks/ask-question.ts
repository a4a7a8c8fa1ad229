import type { TaskQuestionEvent } from '../../../contract/event.ts'
import { limits } from '../../../contract/limits.ts'
import type { AskQuestion, OpenQuestion, QuestionAsked } from '../../../contract/question.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { insertDelivery } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { insertQuestion } from '../../storage/tasks/conversation.ts'
import { releaseIdempotencyKeys } from '../../storage/tasks/idempotency.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import type { PersonActor } from '../actor.ts'
import { conflict, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { deliveriesOf, taskFields } from './endings.ts'
import { requireTask } from './get-task.ts'
import { claimIdempotencyKey } from './idempotency-key.ts'
import { presentTask } from './present-task.ts'
import { endIfOverdueThenExplain, taskNotOpen } from './task-not-open.ts'

/** A person asks the agent instead of answering. The task stays open and waits for the agent's reply. */
export async function askQuestion(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: AskQuestion,
): Promise<{ asked: QuestionAsked; replayed: boolean }> {
  const { database, publicUrl } = service
  const result = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const newQuestionId = newId('question')
    const earlierId = await claimIdempotencyKey(tx, { route: 'question', taskId, ...input }, newQuestionId)
    if (earlierId === undefined) {
      await lockThread(tx, taskId)
      const task = await requireTask(tx, taskId)
      requireAskable(task)
      const askedAt = await insertQuestion(tx, task, newQuestionId, input, actor)
      // Returned rather than thrown, so that the transaction commits and the overdue task ends.
      if (!askedAt) {
        if (input.idempotencyKey !== undefined) await releaseIdempotencyKeys(tx, [input.idempotencyKey])
        return { problem: await endIfOverdueThenExplain(service, tx, taskId) }
      }
      const { kind, text } = input
      await announce(tx, task, { questionId: newQuestionId, kind, text }, actor, askedAt)
    }
    const record = presentTask(await requireTask(tx, taskId), publicUrl)
    return {
      record,
      questionId: earlierId ?? newQuestionId,
      replayed: earlierId !== undefined,
      problem: undefined,
    }
  })
  if (result.problem) throw result.problem
  const { questions = [], waitingUntil } = result.record
  const question = questions.find(({ questionId }) => questionId === result.questionId)
  if (!question) throw notFound('question')
  const isWaiting = waitingUntil !== undefined && question.answer === undefined
  return { asked: { ...question, ...(isWaiting && { waitingUntil }) }, replayed: result.replayed }
}

function requireAskable(task: TaskRow): void {
  if (task.status !== 'open') throw taskNotOpen(task)
  if (!task.acceptsQuestions) {
    throw conflict('The agent of this task does not accept questions. Reject the task with feedback instead.')
  }
  if ((task.questions?.length ?? 0) >= limits.questionsPerTask) {
    throw conflict(`A task may have at most ${limits.questionsPerTask} questions. Answer or reject the task.`)
  }
  if (task.openQuestionCount >= limits.openQuestionsPerTask) {
    throw conflict(
      `At most ${limits.openQuestionsPerTask} questions may wait for the agent. Wait for a reply, or answer the task.`,
    )
  }
}

/** The agent is notified of a question in the same ways as of an answer. */
async function announce(
  tx: Transaction,
  task: TaskRow,
  question: OpenQuestion,
  { email, id, from }: PersonActor,
  askedAt: Date,
): Promise<void> {
  const event: TaskQuestionEvent = {
    eventId: newId('event'),
    type: 'service/task_question',
    taskId: task.id,
    status: 'open',
    question,
    askedBy: email,
    askedAt: askedAt.toISOString(),
    ...taskFields(task),
  }
  const { eventId, type } = event
  await recordTaskEvent(tx, { eventId, type, taskId: task.id, threadId: task.threadId, body: event })
  for (const { kind, url } of deliveriesOf(task)) {
    await insertDelivery(tx, {
      eventId,
      eventType: type,
      taskId: task.id,
      kind,
      url,
      body: JSON.stringify(event),
    })
  }
  const details = { questionId: question.questionId, kind: question.kind, revision: task.revision }
  await appendAudit(tx, { actor: id, from, action: 'task.asked', subject: task.id, details })
}
