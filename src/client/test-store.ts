import type { z } from 'zod'
import { answeredByDeadline } from '../contract/answered-by.ts'
import type { Patterns } from '../contract/check-payload.ts'
import type { CreateTask } from '../contract/create-task.ts'
import { canonicalText } from '../contract/forms/comparable-answer.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { TaskStatus } from '../contract/task-fields.ts'
import type { Violation } from '../contract/violation.ts'
import { zodViolations } from '../contract/zod-violations.ts'
import { HandrailProblem } from './problem.ts'

export const patterns: Patterns = {
  patternProblem: () => undefined,
  matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
}
/** The email address of who answers and asks, unless a test names somebody else. */
export const defaultPerson = 'human@handrail.test'

/** An answer to a task. With a review, answers with the same digest agree. */
export type TestAnswer = {
  actionId: string
  actionTitle: string
  data: Record<string, unknown>
  by: string
  at: string
  via: 'web'
  digest: string
}

/** The tasks of a test inbox. */
export class TaskStore {
  readonly tasks: TaskRecord[] = []
  /** The payload of each task, as the agent sent and revised it. */
  readonly payloads = new WeakMap<TaskRecord, CreateTask>()
  /** The answers to the current revision of each task with a review, oldest first. */
  readonly answers = new WeakMap<TaskRecord, TestAnswer[]>()
  readonly #requests = new Map<string, { request: string; resultId: string }>()
  readonly #waiters = new Set<() => void>()
  #idCount = 0

  newId(prefix: string): string {
    return prefix + String(++this.#idCount).padStart(26, '0')
  }

  find(taskId: string): TaskRecord {
    const task = this.tasks.find((candidate) => candidate.taskId === taskId)
    if (!task) throw problem('not_found', 404, 'There is no such task in this workspace. Check the id.')
    return task
  }

  findOpen(taskId: string): TaskRecord {
    const task = this.find(taskId)
    if (task.status !== 'open') throw problem('task_not_open', 409, `The task is ${task.status}.`)
    return task
  }

  add(task: TaskRecord, payload: CreateTask): void {
    this.tasks.push(task)
    this.payloads.set(task, payload)
    this.#wake()
  }

  change(task: TaskRecord, changes: Partial<TaskRecord>): void {
    Object.assign(task, { updatedAt: now(), ...changes })
    this.#wake()
  }

  end(task: TaskRecord, status: TaskStatus, rest: Partial<TaskRecord>): void {
    delete task.waitingFor
    delete task.waitingUntil
    this.change(task, { status, ...rest })
  }

  /** The id of what the same request created before. A key that was used for another request is refused. */
  earlierResult(idempotencyKey: string | undefined, request: unknown): string | undefined {
    const earlier = idempotencyKey === undefined ? undefined : this.#requests.get(idempotencyKey)
    if (earlier && earlier.request !== canonicalText(request)) {
      const detail =
        'This idempotency key was used with different arguments. Send the same arguments, or a new key in "idempotencyKey".'
      throw problem('idempotency_conflict', 409, detail)
    }
    return earlier?.resultId
  }

  rememberResult(idempotencyKey: string | undefined, request: unknown, resultId: string): void {
    if (idempotencyKey !== undefined)
      this.#requests.set(idempotencyKey, { request: canonicalText(request), resultId })
  }

  #wake(): void {
    for (const wake of this.#waiters) wake()
  }

  /** Requires that the task is open and, if `seenRevision` is given, that it was not revised since. */
  findAnswerable(taskId: string, seenRevision: number | undefined): TaskRecord {
    const task = this.findOpen(taskId)
    if (seenRevision === undefined || seenRevision === task.revision) return task
    const detail = `The agent has revised the task: revision ${task.revision} is current.`
    throw problem('task_revised', 409, detail, { revision: task.revision })
  }

  /** Ends a task with an answer. With a review, `all` are the answers of all reviewers. */
  handle(
    task: TaskRecord,
    { actionId, actionTitle, data, by, at, via }: TestAnswer,
    all?: TestAnswer[],
  ): void {
    const answers = all?.map(({ digest: _, ...answer }) => answer)
    this.end(task, 'handled', {
      handled: {
        actionId,
        actionTitle,
        data,
        handledBy: by,
        handledAt: at,
        decidedBy: 'human',
        via,
        revision: task.revision,
        ...(answers && { answers }),
      },
    })
  }

  /** Ends a task as at its deadline: with the answer of `onExpire`, unless a question has no reply. */
  expire(task: TaskRecord): void {
    const { onExpire } = this.payloads.get(task)!
    const action = task.actions?.find(({ id }) => id === onExpire?.actionId)
    const isAskedBack = task.questions?.some(({ answer }) => !answer)
    if (!action || isAskedBack) {
      this.end(task, 'expired', {})
      return
    }
    this.end(task, 'handled', {
      handled: {
        actionId: action.id,
        actionTitle: action.title,
        data: onExpire?.data ?? {},
        handledBy: answeredByDeadline,
        handledAt: now(),
        decidedBy: 'timeout',
        via: 'timeout',
        revision: task.revision,
      },
    })
  }

  /** Resolves when a task is created or changes, or after the timeout; rejects when the signal is aborted. */
  waitForChange(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const done = () => {
        clearTimeout(timer)
        this.#waiters.delete(done)
        signal?.removeEventListener('abort', done)
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      }
      const timer = setTimeout(done, seconds * 1000)
      this.#waiters.add(done)
      signal?.addEventListener('abort', done)
    })
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidRequest(zodViolations(result.error, schema, value))
}

export function throwIfInvalid(errors: Violation[]): void {
  if (errors.length > 0) throw invalidRequest(errors)
}

export function invalidRequest(errors: Violation[]): HandrailProblem {
  const detail = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ')
  return problem('invalid_request', 400, detail, { errors })
}

export function problem(
  code: HandrailProblem['code'],
  status: number,
  detail: string,
  more: { errors?: Violation[]; revision?: number } = {},
): HandrailProblem {
  return new HandrailProblem({
    type: 'about:blank',
    title: code,
    status,
    code,
    detail,
    requestId: 'test',
    ...more,
  })
}

export function now(): string {
  return new Date().toISOString()
}
