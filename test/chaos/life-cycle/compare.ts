import { expect } from 'vitest'
import type { Review } from '../../../src/contract/review.ts'
import type { TaskRecord } from '../../../src/contract/task.ts'
import type { Caller, TestResponse } from '../../support/http.ts'
import { answer, type Choice, countsOf, inboxOf, type Model, type ModelTask } from './model.ts'
import { type ModelReview, refusalOf } from './review-model.ts'
import type { Person } from './world.ts'

/** The expected record, as far as the model knows it. */
export function expectRecord(record: TaskRecord, task: ModelTask): void {
  const { handled, cancelled, latestUpdate, updates } = record
  expect({
    taskId: record.taskId,
    status: record.status,
    name: record.name,
    type: record.type,
    threadId: record.threadId,
    priority: record.priority,
    delivery: record.delivery,
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    handled: handled && {
      actionId: handled.actionId,
      data: handled.data,
      handledBy: handled.handledBy,
      decidedBy: handled.decidedBy,
      handledAt: handled.handledAt,
    },
    answers: handled?.answers?.map(({ by, actionId, data }) => ({ by, actionId, data })),
    review: record.review,
    assignedTo: record.assignedTo,
    cancelled: cancelled && { reason: cancelled.reason },
    latestUpdate: latestUpdate?.message,
    updates: updates?.map(({ message }) => message),
    revision: record.revision,
    handledRevision: handled?.revision,
    waitingFor: record.waitingFor,
    questions: record.questions?.map(({ questionId, text, answer }) => ({
      questionId,
      text,
      updateId: answer?.updateId,
    })),
  }).toEqual({
    taskId: task.taskId,
    status: task.status,
    name: task.name,
    type: task.type,
    threadId: task.threadId,
    priority: task.priority,
    delivery: task.delivery,
    createdAt: task.createdAt,
    expiresAt: task.expiresAt,
    handled: task.handled,
    answers: task.handled && task.review?.votes,
    review: task.review && presentReview(task.review),
    assignedTo: task.assignedTo,
    cancelled: task.status === 'cancelled' ? { reason: task.cancelReason } : undefined,
    latestUpdate: task.updates.at(-1),
    updates: updates && task.updates,
    revision: task.revision,
    handledRevision: task.handled && task.revision,
    waitingFor: task.status === 'open' ? (task.waitingUntil ? 'agent' : 'person') : undefined,
    questions:
      task.questions.length > 0
        ? task.questions.map(({ questionId, text, updateId }) => ({ questionId, text, updateId }))
        : undefined,
  })
}

function presentReview({ needed, onDecline, votes, escalatedTo }: ModelReview): Review {
  const by = ['group:desk', ...(escalatedTo === undefined ? [] : [escalatedTo])]
  return { by, needed, onDecline, given: votes.length }
}

/** Expects that an answer to an open task counts, or is refused if the person may not give it. */
export function expectAnswered(
  model: Model,
  task: ModelTask,
  choice: Choice,
  person: Person,
  response: TestResponse,
): void {
  const code = task.review && refusalOf(model.group, task.review, person)
  if (code) {
    expect(response).toMatchObject({ status: code === 'already_answered' ? 409 : 403, body: { code } })
    return
  }
  expect(response.status).toBe(200)
  answer(model, task, choice, person, response.body.handled?.handledAt)
  expectRecord(response.body, task)
}

/** Expects a conflict that names the winner, the time and the action. */
export function expectLoss({ status, body }: TestResponse, task: ModelTask): void {
  const { code, taskStatus, handledBy, handledAt, actionId } = body
  expect({ status, code, taskStatus, handledBy, handledAt, actionId }).toEqual({
    status: 409,
    code: 'task_not_open',
    taskStatus: task.status,
    handledBy: task.handled?.handledBy,
    handledAt: task.handled?.handledAt,
    actionId: task.handled?.actionId,
  })
}

/** The complete inbox of a person, read in pages of `limit`. */
export async function expectInbox(model: Model, person: Caller, who: Person, limit: number): Promise<void> {
  const { pages } = await walkPages(person, '/inbox', 'rows', limit)
  const rows = pages.flatMap(({ rows }) => rows)
  expect(rows.map((row) => ({ ...pick(row), claim: row.claim?.name }))).toEqual(
    inboxOf(model).map((task) => ({
      ...pick(task),
      hasDraft: (task.drafts.get(who.email)?.size ?? 0) > 0,
      claim: task.claim?.alive ? task.claim.by : undefined,
    })),
  )
  const { open, waiting, byPriority } = pages[0]!.counts
  expect({ open, waiting, byPriority }).toEqual(countsOf(model))
}

// biome-ignore lint/suspicious/noExplicitAny: rows of either side
function pick({ taskId, threadId, name, type, priority, delivery, createdAt, expiresAt, ...more }: any) {
  const { hasDraft, assignedTo } = more
  return { taskId, threadId, name, type, priority, delivery, createdAt, expiresAt, hasDraft, assignedTo }
}

/** Reads all pages of a list. */
export async function walkPages(caller: Caller, path: string, what: string, limit: number) {
  // biome-ignore lint/suspicious/noExplicitAny: pages of any list
  const pages: any[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await caller.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&cursor=${encodeURIComponent(cursor)}`,
    )
    expect({ status, problem: body.detail }).toEqual({ status: 200, problem: undefined })
    expect(body[what].length).toBeLessThanOrEqual(limit)
    pages.push(body)
    cursor = body.nextCursor
  }
  return { pages }
}
