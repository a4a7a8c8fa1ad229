import { HandrailProblem } from '../../client/problem.ts'
import type { Problem } from '../../contract/problem.ts'
import { reservedActions } from '../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../contract/task.ts'
import type { Handled, HandleTask, Presented, RejectTask } from '../../contract/task-answer.ts'
import { apiOf } from './api.ts'
import { asProblem } from './problem.ts'

/** Everything needed to send an answer, even after a browser restart. */
export type Answer = {
  workspaceId: string
  taskId: string
  taskName: string
  actionId: string
  /** The title of the action. */
  title: string
  data?: Record<string, unknown>
  presented?: Presented
  /** The revision that the person saw. */
  revision?: number
  /** The same for all answers of one bulk action. */
  bulkId?: string
}

export type Person = { userId: string; email: string }

/** Why an answer will not be sent again: the task has ended, or the service refused the answer. */
export type Failure = {
  problem: Problem
  /** The title of the action with which the task was handled instead. */
  chosen?: string
  /** The title of the action that this person chose elsewhere. That answer counts instead of this one. */
  ownAnswer?: string
}

export type SendResult =
  /**
   * `openRevision`: more people must answer, so the task is still open. This person has answered
   * this revision.
   */
  | { kind: 'sent'; openRevision?: number | undefined }
  /** Not confirmed: the service may or may not have received the answer, so it is sent again. */
  | { kind: 'unsure'; problem: HandrailProblem }
  | { kind: 'failed'; failure: Failure }

/**
 * Sends the answer as this person. The service responds with 401 if someone else has signed in, in
 * any tab.
 */
export async function sendAnswer(answer: Answer, person: Person, keepalive: boolean): Promise<SendResult> {
  try {
    const { status, revision } = await post(answer, { keepalive, personId: person.userId })
    return status === 'open' ? { kind: 'sent', openRevision: revision } : { kind: 'sent' }
  } catch (thrown) {
    const problem = asProblem(thrown)
    if (problem.code === 'already_answered' || problem.code === 'task_not_open')
      return await resultOfRefused(answer, person, problem)
    if (isTransient(problem)) return { kind: 'unsure', problem }
    return { kind: 'failed', failure: { problem: toPlainProblem(problem) } }
  }
}

export function bodyOf({ actionId, data, presented, revision, bulkId }: Answer): object {
  const common = { ...(revision !== undefined && { revision }), ...(bulkId !== undefined && { bulkId }) }
  if (actionId === reservedActions.markDone.id) return common
  if (actionId === reservedActions.rejectRequest.id) return { ...data, ...common }
  return { actionId, ...(data && { data }), ...(presented && { presented }), ...common }
}

function post(answer: Answer, options: { keepalive: boolean; personId: string }): Promise<TaskRecord> {
  const { workspaceId, taskId, actionId } = answer
  const api = apiOf(workspaceId)
  const body = bodyOf(answer)
  if (actionId === reservedActions.markDone.id) return api.markDone(taskId, body, options)
  if (actionId === reservedActions.rejectRequest.id)
    return api.rejectTask(taskId, body as RejectTask, options)
  return api.handleTask(taskId, body as HandleTask, options)
}

/**
 * The result for an answer that was refused because the task has ended or already has an answer of
 * this person. If the recorded answer is the same, an earlier attempt arrived whose response was lost.
 */
async function resultOfRefused(
  answer: Answer,
  person: Person,
  problem: HandrailProblem,
): Promise<SendResult> {
  const failure = { problem: toPlainProblem(problem) }
  const { code, taskStatus } = problem
  if (code === 'task_not_open' && taskStatus !== 'handled') return { kind: 'failed', failure }
  try {
    const task = await apiOf(answer.workspaceId).taskDetails(answer.taskId)
    const { handled, review, status, revision } = task
    const own = (handled?.answers ?? review?.answers)?.find(({ by }) => by === person.email)
    const recorded = own ?? (handled?.handledBy === person.email ? handled : undefined)
    if (recorded && isSameAnswer(recorded, answer))
      return status === 'open' ? { kind: 'sent', openRevision: revision } : { kind: 'sent' }
    if (own) return { kind: 'failed', failure: { ...failure, ownAnswer: own.actionTitle } }
    return { kind: 'failed', failure: { ...failure, ...(handled && { chosen: handled.actionTitle }) } }
  } catch (thrown) {
    return { kind: 'unsure', problem: asProblem(thrown) }
  }
}

function isSameAnswer(recorded: Pick<Handled, 'actionId' | 'data'>, { actionId, data }: Answer): boolean {
  return recorded.actionId === actionId && canonicalJson(recorded.data ?? {}) === canonicalJson(data ?? {})
}

/**
 * Whether a retry may succeed, for example once the person has signed in again or set up two-factor
 * authentication.
 */
function isTransient({ status, code }: HandrailProblem): boolean {
  if (code === 'two_factor_required') return true
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500
}

/** JSON with sorted keys, to compare values regardless of the order of their keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** The fields of a problem as a plain object, which IndexedDB can store. */
function toPlainProblem(problem: HandrailProblem): Problem {
  const { type, title, status, code, detail, errors, requestId } = problem
  const { taskStatus, handledBy, handledAt, actionId } = problem
  return { type, title, status, code, detail, errors, requestId, taskStatus, handledBy, handledAt, actionId }
}

/** The task has ended, so the service would refuse any other answer to it too. */
export function hasTaskEnded({ problem }: Failure): boolean {
  return problem.code === 'task_not_open'
}

export function problemOf({ problem }: Failure): HandrailProblem {
  return new HandrailProblem(problem)
}
