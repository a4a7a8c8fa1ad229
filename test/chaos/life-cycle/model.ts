import { type Priority, priorities, type TaskStatus } from '../../../src/contract/task-fields.ts'
import { rankOf, sortLikeInbox } from '../../support/inbox-order.ts'
import { type ModelReview, vote } from './review-model.ts'

// The expected state of the service, as simple as possible: lists and loops, no indexes, no locks.

export type ModelTask = {
  /** The name of the task in a walk, in the order of creation. */
  number: number
  taskId: string
  createdAt: string
  expiresAt: string | undefined
  name: string
  type: string
  threadId: string
  priority: Priority
  delivery: 'poll' | 'callback'
  /** The action at the deadline; without it the task expires. */
  onExpire: Choice | undefined
  status: TaskStatus
  handled: (Choice & { handledBy: string; decidedBy: 'human' | 'timeout'; handledAt: string }) | undefined
  cancelReason: string | undefined
  updates: string[]
  acceptsQuestions: boolean
  questions: ModelQuestion[]
  /** Until then it waits for the agent. Undefined: it waits for people. */
  waitingUntil: string | undefined
  /** In milliseconds. */
  waitingSince: number
  /** Undefined: everybody may answer, once. */
  review: ModelReview | undefined
  /** When it is escalated, in milliseconds, unless it waits for the agent. Undefined: never again. */
  escalatesAt: number | undefined
  assignedTo: string | undefined
  revision: number
  /** `alive`: has not expired. */
  claim: { by: string; alive: boolean } | undefined
  /** Drafts by email address: the data by action. */
  drafts: Map<string, Map<string, object>>
  /** The expected events in order. Events in one group are concurrent and may have any order. */
  events: (string | string[])[]
}

type ModelQuestion = {
  questionId: string
  text: string
  /** Of the reply. */
  updateId: string | undefined
  /** The reply revised the task. */
  hasRevised: boolean
  /** The task has not returned to people since. */
  isAwaited: boolean
}

export type Choice = { actionId: string; data: Record<string, unknown> }

export type Model = {
  tasks: ModelTask[]
  /** What each idempotency key was used for. */
  keys: Map<string, { call: string; task: ModelTask }>
  /** How often the clock was moved. */
  clockMoves: number
  /** Email addresses of the members of group:desk. */
  group: string[]
}

export function nothingYet(group: string[]): Model {
  return { tasks: [], keys: new Map(), clockMoves: 0, group }
}

export function openTasks(model: Model): ModelTask[] {
  return model.tasks.filter(({ status }) => status === 'open')
}

export function inboxOf(model: Model): ModelTask[] {
  const byId = new Map(model.tasks.map((task) => [task.taskId, task]))
  return [
    ...sortLikeInbox(openTasks(model).filter(waitsForPeople)).map((taskId) => byId.get(taskId)!),
    ...waitingTasks(model).toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
  ]
}

function placeOf({ priority, createdAt, taskId }: ModelTask): string {
  return `${priorities.indexOf(priority)} ${createdAt} ${taskId}`
}

function waitsForPeople({ waitingUntil }: ModelTask): boolean {
  return waitingUntil === undefined
}

/** Open tasks that wait for the agent. */
export function waitingTasks(model: Model): ModelTask[] {
  return openTasks(model).filter((task) => !waitsForPeople(task))
}

/** Tasks that wait for people by the rank of their thread. */
export function countsOf(model: Model): {
  open: number
  waiting: number
  byPriority: Record<string, number>
} {
  const open = openTasks(model).filter(waitsForPeople)
  const rank = ({ threadId }: ModelTask) => rankOf(open.filter((task) => task.threadId === threadId))
  const byPriority = priorities.map((priority, i) => [
    priority,
    open.filter((task) => rank(task) === i).length,
  ])
  return {
    open: open.length,
    waiting: waitingTasks(model).length,
    byPriority: Object.fromEntries(byPriority),
  }
}

export function newestFirst(tasks: ModelTask[]): ModelTask[] {
  const place = ({ createdAt, taskId }: ModelTask) => `${createdAt} ${taskId}`
  return tasks.toSorted((one, other) => (place(one) < place(other) ? 1 : -1))
}

export function handle(
  task: ModelTask,
  choice: Choice,
  by: { email: string } | 'timeout',
  handledAt: string,
): void {
  task.handled = {
    ...choice,
    handledAt,
    ...(by === 'timeout'
      ? { handledBy: 'service:timeout', decidedBy: 'timeout' }
      : { handledBy: by.email, decidedBy: 'human' }),
  }
  if (by !== 'timeout') task.drafts.delete(by.email)
  end(task, 'handled')
}

export function cancel(task: ModelTask, reason: string | undefined): void {
  if (task.status === 'cancelled') return
  task.cancelReason = reason
  end(task, 'cancelled')
}

/** Applies the deadline of a task. `endedAt` comes from its record. */
export function reachDeadline(task: ModelTask, endedAt: string): void {
  if (task.onExpire && openQuestions(task).length === 0) handle(task, task.onExpire, 'timeout', endedAt)
  else end(task, 'expired')
}

export function openQuestions({ questions }: ModelTask) {
  return questions.filter(({ updateId }) => updateId === undefined)
}

/** `asked` is the response of the service. */
export function ask(
  task: ModelTask,
  {
    questionId,
    text,
    askedAt,
    waitingUntil,
  }: Record<'questionId' | 'text' | 'askedAt' | 'waitingUntil', string>,
): void {
  task.questions.push({ questionId, text, updateId: undefined, hasRevised: false, isAwaited: true })
  if (task.waitingUntil === undefined) task.waitingSince = Date.parse(askedAt)
  task.waitingUntil = waitingUntil
  task.events.push('question')
}

/** `sent` is the response of the service. The reply may have revised the task, see `revise`. */
export function reply(
  task: ModelTask,
  question: ModelQuestion,
  sent: Record<'updateId' | 'createdAt', string>,
): void {
  question.updateId = sent.updateId
  if (task.waitingUntil === undefined) return
  if (!openQuestions(task).some(({ isAwaited }) => isAwaited)) stopWaiting(task, Date.parse(sent.createdAt))
}

/** The task waits for people again, who have as much time as before. */
export function stopWaiting(task: ModelTask, now: number): void {
  task.waitingUntil = undefined
  if (task.escalatesAt !== undefined) task.escalatesAt += now - task.waitingSince
  for (const question of task.questions) question.isAwaited = false
}

/** Assigned to the target, who may now answer, unless they have. */
export function escalate(task: ModelTask, target: string): void {
  task.escalatesAt = undefined
  task.priority = priorities[Math.max(0, priorities.indexOf(task.priority) - 1)]!
  task.events.push('escalated')
  if (task.review!.votes.some(({ by }) => by === target)) return
  task.assignedTo = target
  task.review!.escalatedTo = target
}

/** An answer of somebody who may give it. `at`: when the task ended. */
export function answer(
  model: Model,
  task: ModelTask,
  choice: Choice,
  { email, name }: { email: string; name: string },
  at: string,
): void {
  task.drafts.delete(email)
  if (task.claim?.by === name) task.claim = undefined
  const own = { ...choice, by: email }
  const decisive = task.review ? vote(model.group, task.review, own) : own
  if (!decisive) task.events.push('answered')
  else handle(task, { actionId: decisive.actionId, data: decisive.data }, { email: decisive.by }, at)
}

export function revise(task: ModelTask, name: string): void {
  if (task.name === name) return
  task.name = name
  task.revision += 1
  if (task.review) task.review.votes = []
}

function end(task: ModelTask, status: 'handled' | 'cancelled' | 'expired'): void {
  task.status = status
  task.claim = undefined
  task.events.push(status)
}

export function update(task: ModelTask, message: string): void {
  task.updates.push(message)
  task.events.push(`updated ${message}`)
}

/** A valid claim stays with its holder; a new one creates an event. */
export function claim(task: ModelTask, by: string): void {
  if (task.claim?.alive) return
  task.claim = { by, alive: true }
  task.events.push('claimed')
}

export function release(task: ModelTask, by: string): void {
  if (task.claim?.by !== by) return
  task.claim = undefined
  task.events.push('released')
}

export function saveDraft(task: ModelTask, by: string, actionId: string, data: object): void {
  task.drafts.set(by, new Map([...(task.drafts.get(by) ?? []), [actionId, data]]))
}
