import type { TaskNote } from '../../../contract/note.ts'
import type { Question } from '../../../contract/question.ts'
import type { GivenAnswer } from '../../../contract/review.ts'
import type { MemberTaskRecord, PastRevision, TaskRecord } from '../../../contract/task.ts'
import { priorities } from '../../../contract/task-fields.ts'
import type { TaskUpdate } from '../../../contract/task-update.ts'
import type { listRevisions } from '../../storage/tasks/conversation.ts'
import type { NoteRow } from '../../storage/tasks/notes.ts'
import type { StoredAnswer, StoredQuestion, TaskRow } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { presentReview } from '../review/present-review.ts'
import { handledByVerifiedField } from './handled-by-verified.ts'

type RevisionRow = Awaited<ReturnType<typeof listRevisions>>[number]

export function taskUrl(publicUrl: string, workspaceId: string, taskId: string): string {
  return `${publicUrl}/w/${workspaceId}/inbox/${taskId}`
}

/** Fields without a value are omitted, never null. */
export function presentTask(row: TaskRow, publicUrl: string): TaskRecord {
  return {
    taskId: row.id,
    status: row.status,
    app: row.app,
    type: row.type,
    name: row.name,
    description: row.description,
    ...(row.version !== null && { version: row.version }),
    priority: priorities[row.priority]!,
    delivery: row.delivery,
    threadId: row.threadId,
    ...(row.assignedTo !== null && { assignedTo: row.assignedTo }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(row.tracestate !== null && { tracestate: row.tracestate }),
    revision: row.revision,
    ...(row.status === 'open' && presentWaiting(row)),
    ...(row.acceptsQuestions && { acceptsQuestions: true }),
    ...(row.questions !== null && { questions: row.questions.map(presentQuestion) }),
    createdAt: row.createdAt.toISOString(),
    // The row of an update is written after that of the task, so it may be slightly newer.
    updatedAt: newest(row.updatedAt, row.updateAt, row.endedAt, row.contentDeletedAt).toISOString(),
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.answerBy !== null && row.agentDueAt === null && { answerBy: row.answerBy.toISOString() }),
    ...(row.review !== null && { review: presentReview(row)! }),
    url: taskUrl(publicUrl, row.workspaceId, row.id),
    ...(row.status === 'handled' && {
      handled: {
        actionId: row.actionId!,
        actionTitle: row.actionTitle!,
        data: row.answer!,
        handledBy: row.handledBy!,
        ...handledByVerifiedField(row.handledByVerified),
        handledAt: row.endedAt!.toISOString(),
        decidedBy: row.decidedBy!,
        ...(row.ruleId !== null && { ruleId: row.ruleId }),
        via: row.via!,
        ...(row.presented !== null && { presented: row.presented }),
        ...(row.edits !== null && { edits: row.edits }),
        revision: row.revision,
        ...(row.answers !== null && { answers: row.answers.map(presentAnswer) }),
      },
    }),
    ...(row.status === 'cancelled' && {
      cancelled: {
        ...(row.cancelReason !== null && { reason: row.cancelReason }),
        at: row.endedAt!.toISOString(),
      },
    }),
    ...(row.updateId !== null && {
      latestUpdate: presentUpdate({
        id: row.updateId,
        message: row.updateMessage!,
        level: row.updateLevel!,
        progress: row.updateProgress,
        createdAt: row.updateAt!,
        questionId: row.updateQuestionId,
        revision: row.updateRevision,
      }),
    }),
    ...(row.contentDeletedAt !== null && { contentDeletedAt: row.contentDeletedAt.toISOString() }),
  }
}

/** For people, includes the name of the rule that answered the task. */
export function presentTaskTo(actor: Actor, row: TaskRow, publicUrl: string): MemberTaskRecord {
  const { ruleId, ruleName } = row
  return {
    ...presentTask(row, publicUrl),
    ...(actor.kind === 'person' &&
      ruleId !== null &&
      ruleName !== null && { rule: { ruleId, name: ruleName } }),
  }
}

function newest(first: Date, ...others: (Date | null)[]): Date {
  return others.reduce<Date>((latest, date) => (date && date > latest ? date : latest), first)
}

function presentWaiting({ agentDueAt }: TaskRow): Pick<TaskRecord, 'waitingFor' | 'waitingUntil'> {
  return agentDueAt === null
    ? { waitingFor: 'person' }
    : { waitingFor: 'agent', waitingUntil: agentDueAt.toISOString() }
}

export function presentAnswer(
  answer: Omit<StoredAnswer, 'createdAt'> & { createdAt: Date | string },
): GivenAnswer {
  return {
    actionId: answer.actionId,
    actionTitle: answer.actionTitle,
    data: answer.data,
    by: answer.answeredBy,
    ...(!answer.isVerified && { byVerified: false }),
    at: new Date(answer.createdAt).toISOString(),
    via: answer.via,
  }
}

export function presentQuestion({ id, kind, text, askedBy, askedAt, ...answer }: StoredQuestion): Question {
  return {
    questionId: id,
    kind,
    text,
    askedBy,
    askedAt: new Date(askedAt).toISOString(),
    ...(answer.updateId !== null && {
      answer: {
        message: answer.message!,
        updateId: answer.updateId,
        at: new Date(answer.answeredAt!).toISOString(),
      },
    }),
  }
}

export function presentRevision({ context, replacedAt, ...revision }: RevisionRow): PastRevision {
  return { ...revision, ...(context && { context }), replacedAt: replacedAt.toISOString() }
}

type UpdateRow = {
  id: string
  message: string
  level: TaskUpdate['level']
  progress: number | null
  createdAt: Date
  questionId: string | null
  revision: number | null
}

export function presentUpdate(row: UpdateRow): TaskUpdate {
  return {
    updateId: row.id,
    message: row.message,
    level: row.level,
    ...(row.progress !== null && { progress: row.progress }),
    ...(row.questionId !== null && { answers: row.questionId }),
    ...(row.revision !== null && { revision: row.revision }),
    at: row.createdAt.toISOString(),
  }
}

export function presentNote({ id, kind, text, by, at, assignedTo }: NoteRow): TaskNote {
  return {
    noteId: id,
    kind,
    text,
    by,
    at: at.toISOString(),
    ...(assignedTo !== null && { assignedTo }),
  }
}
