import type { z } from 'zod'
import { reservedActions } from '../contract/action.ts'
import { checkPayload, type Patterns } from '../contract/check-payload.ts'
import { checkActionAnswer } from '../contract/forms/check-answer.ts'
import {
  CancelTask,
  CreateTask,
  SendUpdate,
  summaryOf,
  type TaskRecord,
  type TaskStatus,
} from '../contract/task.ts'
import { CreateTasks, type TaskResult } from '../contract/task-batch.ts'
import type { Violation } from '../contract/violation.ts'
import { keyScopes } from '../contract/workspace.ts'
import { zodViolations } from '../contract/zod-violations.ts'
import { type Client, withAsking } from './client.ts'
import { HandrailProblem } from './problem.ts'
import type { TaskCalls } from './tasks.ts'

export type TestInbox = {
  /** Pass it to your agent instead of a real client. */
  client: Client
  /** Everything the agent has sent, oldest first. */
  tasks: readonly TaskRecord[]
  /** The oldest open task. Waits until there is one. */
  openTask: () => Promise<TaskRecord>
  answer: (taskId: string, actionId: string, data?: Record<string, unknown>) => void
  markDone: (taskId: string) => void
  reject: (taskId: string, feedback: string) => void
  expire: (taskId: string) => void
}

const patterns: Patterns = {
  patternProblem: () => undefined,
  matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
}
const human = 'human@handrail.test'

/**
 * `handrail-client/testing`: an in-memory inbox for the tests of your agent, in which the test answers. Invalid
 * payloads and answers are refused with the same messages as by the service. There are no people,
 * deadlines, callbacks or keys, and patterns are JavaScript regular expressions.
 */
export function createTestInbox(): TestInbox {
  const store = new TaskStore()
  return {
    client: withAsking(createTestCalls(store)),
    tasks: store.tasks,
    async openTask() {
      for (;;) {
        const task = store.tasks.find(({ status }) => status === 'open')
        if (task) return task
        await store.waitForChange(60, undefined)
      }
    },
    answer(taskId, actionId, data = {}) {
      const { actions } = store.findOpen(taskId)
      const action = actions?.find((candidate) => candidate.id === actionId)
      if (!action) {
        const ids = actions?.map(({ id }) => id).join(', ')
        throw invalidRequest([{ path: 'actionId', message: `No such action. This task has: ${ids}.` }])
      }
      throwIfInvalid(checkActionAnswer(action, data, patterns))
      store.handle(taskId, action, data)
    },
    markDone: (taskId) => store.handle(taskId, reservedActions.markDone, {}),
    reject: (taskId, feedback) => store.handle(taskId, reservedActions.rejectRequest, { feedback }),
    expire: (taskId) => store.end(store.findOpen(taskId), 'expired', {}),
  }
}

class TaskStore {
  readonly tasks: TaskRecord[] = []
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

  add(task: TaskRecord): void {
    this.tasks.push(task)
    this.#wake()
  }

  end(task: TaskRecord, status: TaskStatus, rest: Partial<TaskRecord>): void {
    Object.assign(task, { status, updatedAt: now(), ...rest })
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiters) wake()
  }

  handle(taskId: string, action: { id: string; title: string }, data: Record<string, unknown>): void {
    this.end(this.findOpen(taskId), 'handled', {
      handled: {
        actionId: action.id,
        actionTitle: action.title,
        data,
        handledBy: human,
        handledAt: now(),
        decidedBy: 'human',
        via: 'web',
        revision: 1,
      },
    })
  }

  /** Resolves when a task is created or ends, or after the timeout; rejects when the signal is aborted. */
  waitForChange(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
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

function createTestCalls(store: TaskStore): TaskCalls {
  const idempotencyKeys = new WeakMap<TaskRecord, string>()

  /** As in the service, the status is 201, or 200 if the key has created the task before. */
  function create(input: CreateTask, idempotencyKey: string | undefined) {
    const existing =
      idempotencyKey && store.tasks.find((task) => idempotencyKeys.get(task) === idempotencyKey)
    if (existing) {
      const { taskId, delivery, url } = existing
      return { status: 200 as const, task: { taskId, delivery, url } }
    }
    const payload = parse(CreateTask, input)
    const { type = '', errors, warnings } = checkPayload(payload, patterns)
    throwIfInvalid(errors)
    const task = newRecord(store.newId('tsk_'), type, payload)
    store.add(task)
    if (idempotencyKey) idempotencyKeys.set(task, idempotencyKey)
    const { taskId, delivery, url } = task
    const created = { taskId, delivery, url, ...(warnings.length > 0 && { warnings }) }
    return { status: 201 as const, task: created }
  }

  return {
    me: async () => ({
      kind: 'key',
      workspace: { workspaceId: store.newId('wsp_'), name: 'Test' },
      key: { keyId: store.newId('key_'), name: 'Test', scopes: [...keyScopes] },
    }),

    createTask: async (input, { idempotencyKey = input.idempotencyKey } = {}) =>
      create(input, idempotencyKey).task,

    async createTasks(input) {
      const { tasks } = parse(CreateTasks, input)
      const results = tasks.map((task): TaskResult => {
        try {
          return create(task, task.idempotencyKey)
        } catch (error) {
          if (!(error instanceof HandrailProblem)) throw error
          const { type, title, status, code, detail, errors, requestId } = error
          return { status, problem: { type, title, status, code, detail, errors, requestId } }
        }
      })
      return { results }
    },

    async getTask(taskId, { waitSeconds = 0, include = [] } = {}, signal) {
      const until = Date.now() + waitSeconds * 1000
      while (store.find(taskId).status === 'open' && Date.now() < until) {
        await store.waitForChange((until - Date.now()) / 1000, signal)
      }
      const { context, actions, updates, ...task } = store.find(taskId)
      return structuredClone({
        ...task,
        ...(include.includes('context') && context && { context }),
        ...(include.includes('actions') && actions && { actions }),
        ...(include.includes('updates') && updates && { updates }),
      })
    },

    async listTasks({ fields, status, type, app, limit = 20 } = {}) {
      const found = store.tasks.filter(
        (task) =>
          (!status || task.status === status) && (!type || task.type === type) && (!app || task.app === app),
      )
      const listed = page(found, limit)
      return fields === 'summary' ? { ...listed, tasks: listed.tasks.map(summaryOf) } : listed
    },

    async searchTasks({ query, limit = 20 }) {
      const words = query.toLowerCase().split(/\s+/)
      const found = store.tasks.filter((task) => {
        const text = `${task.taskId} ${task.type} ${task.name} ${task.description}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      return page(found, limit)
    },

    async sendUpdate(taskId, input) {
      const { message, level = 'info', progress } = parse(SendUpdate, input)
      const task = store.findOpen(taskId)
      const update = {
        ...{ updateId: store.newId('upd_'), message, level, at: now() },
        ...(progress !== undefined && { progress }),
      }
      task.updates?.push(update)
      task.latestUpdate = update
      task.updatedAt = update.at
      return {
        taskId,
        updateId: update.updateId,
        createdAt: update.at,
        revision: task.revision,
        openQuestions: [],
      }
    },

    async cancelTask(taskId, input = {}) {
      const { reason } = parse(CancelTask, input)
      if (store.find(taskId).status !== 'cancelled') {
        store.end(store.findOpen(taskId), 'cancelled', {
          cancelled: { at: now(), ...(reason && { reason }) },
        })
      }
      return { taskId, status: 'cancelled' }
    },

    latestFeedbackAnalysis: async () => ({
      found: false,
      message: 'The test inbox does not analyze feedback.',
    }),
  }
}

function newRecord(taskId: string, type: string, payload: CreateTask): TaskRecord {
  const { name, description } = payload.task
  return {
    ...{ taskId, status: 'open', app: payload.app ?? 'default', type, name, description },
    ...(payload.version && { version: payload.version }),
    priority: payload.priority ?? 'normal',
    delivery: payload.callbackUrl ? 'callback' : (payload.delivery ?? 'poll'),
    threadId: payload.threadId ?? taskId,
    ...(payload.metadata && { metadata: payload.metadata }),
    ...{ revision: 1, waitingFor: 'person' },
    ...{ createdAt: now(), updatedAt: now(), url: `https://handrail.test/inbox/${taskId}` },
    ...(payload.context && { context: payload.context }),
    actions: payload.actions,
    updates: [],
  }
}

function page(found: TaskRecord[], limit: number) {
  const newest = found.toReversed().slice(0, limit)
  const tasks = newest.map(({ context: _, actions: __, updates: ___, ...task }) => structuredClone(task))
  return { tasks, nextCursor: null }
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidRequest(zodViolations(result.error, schema, value))
}

function throwIfInvalid(errors: Violation[]): void {
  if (errors.length > 0) throw invalidRequest(errors)
}

function invalidRequest(errors: Violation[]): HandrailProblem {
  const detail = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ')
  return problem('invalid_request', 400, detail, errors)
}

function problem(
  code: HandrailProblem['code'],
  status: number,
  detail: string,
  errors?: Violation[],
): HandrailProblem {
  return new HandrailProblem({
    ...{ type: 'about:blank', title: code, status, code, detail, requestId: 'test' },
    ...(errors && { errors }),
  })
}

function now(): string {
  return new Date().toISOString()
}
