import type { z } from 'zod'
import { answeredByDeadline } from '../contract/answered-by.ts'
import type { Patterns } from '../contract/check-payload.ts'
import type { CreateTask } from '../contract/create-task.ts'
import { describeEnd } from '../contract/describe-end.ts'
import type { Edit } from '../contract/edits/edit.ts'
import { canonicalText } from '../contract/forms/comparable-answer.ts'
import { bodyLimits, parseJsonText } from '../contract/json-text.ts'
import { limits } from '../contract/limits.ts'
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
  edits: Edit[] | undefined
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
    if (task.status !== 'open') throw taskNotOpen(task)
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
    { actionId, actionTitle, data, by, at, via, edits }: TestAnswer,
    all?: TestAnswer[],
  ): void {
    const answers = all?.map(({ digest: _, edits: __, ...answer }) => answer)
    this.end(task, 'handled', {
      handled: {
        actionId,
        actionTitle,
        data,
        handledBy: by,
        handledAt: at,
        decidedBy: 'human',
        via,
        ...(edits && { edits }),
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

function taskNotOpen({ status, updatedAt, handled }: TaskRecord): HandrailProblem {
  const { handledBy, handledAt, actionId } = handled ?? {}
  const detail = describeEnd({ status, ...handled }, handledAt ?? updatedAt)
  return problem('task_not_open', 409, detail, { taskStatus: status, handledBy, handledAt, actionId })
}

const encoder = new TextEncoder()

/** Refuses texts, context and actions that are larger than the service stores. */
export function throwIfTooLarge({ task, context, actions }: CreateTask, what = 'payload'): void {
  const texts = [task.name, task.description, context ? JSON.stringify(context) : '', JSON.stringify(actions)]
  const bytes = encoder.encode(texts.join('')).length
  if (bytes <= limits.payloadBytes) return
  const size = `The ${what} (task, context and actions) is ${bytes} bytes; the limit is ${limits.payloadBytes}.`
  throw problem('payload_too_large', 413, `${size} Send less data.`)
}

/** Reads what an agent sends as the service does: as JSON, whose text is checked before it is parsed. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const text = JSON.stringify(body ?? {})
  if (encoder.encode(text).length > limits.bodyBytes)
    throw problem('payload_too_large', 413, `The body must be at most ${limits.bodyBytes} bytes.`)
  const read = parseJsonText(text, bodyLimits)
  if ('violations' in read) throw invalidRequest(read.violations)
  return parse(schema, read.value)
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
  more: Partial<HandrailProblem> = {},
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

/** The time in this many seconds. */
export function now(seconds = 0): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}
