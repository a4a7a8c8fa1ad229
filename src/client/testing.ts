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
import type { Violation } from '../contract/violation.ts'
import { keyScopes } from '../contract/workspace.ts'
import { zodViolations } from '../contract/zod-violations.ts'
import type { Client } from './client.ts'
import { HandrailProblem } from './problem.ts'

export type TestInbox = {
  /** Give it to your agent in place of the real one. */
  client: Client
  /** Everything the agent has sent, oldest first. */
  tasks: readonly TaskRecord[]
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
 * `handrail/testing`: an inbox in memory for the tests of your agent, in which you are the human. A payload or an answer
 * that the service would refuse is refused here in the same words. It knows no people, deadlines, callbacks or keys, and
 * patterns are JavaScript's.
 */
export function createTestInbox(): TestInbox {
  const tasks: TaskRecord[] = []
  const sentWith = new WeakMap<TaskRecord, string>()
  const waiting = new Set<() => void>()
  let count = 0
  const newId = (prefix: string) => prefix + String(++count).padStart(26, '0')

  function find(taskId: string): TaskRecord {
    const task = tasks.find((candidate) => candidate.taskId === taskId)
    if (!task) throw problem('not_found', 404, 'There is no such task in this workspace.')
    return task
  }

  function findOpen(taskId: string): TaskRecord {
    const task = find(taskId)
    if (task.status !== 'open') throw problem('task_not_open', 409, `The task is ${task.status}.`)
    return task
  }

  function end(task: TaskRecord, status: TaskStatus, rest: Partial<TaskRecord>) {
    Object.assign(task, { status, updatedAt: now(), ...rest })
    for (const wake of waiting) wake()
  }

  function handle(taskId: string, action: { id: string; title: string }, data: Record<string, unknown>) {
    end(findOpen(taskId), 'handled', {
      handled: {
        actionId: action.id,
        actionTitle: action.title,
        data,
        handledBy: human,
        handledAt: now(),
        decidedBy: 'human',
        via: 'web',
      },
    })
  }

  /** A wait ends with the next end of a task, with its time, or with its caller. */
  function change(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(done, seconds * 1000)
      waiting.add(done)
      signal?.addEventListener('abort', done)
      function done() {
        clearTimeout(timer)
        waiting.delete(done)
        signal?.removeEventListener('abort', done)
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      }
    })
  }

  const client: Client = {
    me: async () => ({
      kind: 'key',
      workspace: { workspaceId: newId('wsp_'), name: 'Test' },
      key: { keyId: newId('key_'), name: 'Test', scopes: [...keyScopes] },
    }),

    async createTask(input, { idempotencyKey = input.idempotencyKey } = {}) {
      const earlier = idempotencyKey && tasks.find((task) => sentWith.get(task) === idempotencyKey)
      if (earlier) return { taskId: earlier.taskId, delivery: earlier.delivery, url: earlier.url }
      const payload = parse(CreateTask, input)
      const { type = '', errors, warnings } = checkPayload(payload, patterns)
      refuse(errors)
      const taskId = newId('tsk_')
      const { name, description } = payload.task
      const task: TaskRecord = {
        ...{ taskId, status: 'open', app: payload.app ?? 'default', type, name, description },
        ...(payload.version && { version: payload.version }),
        priority: payload.priority ?? 'normal',
        delivery: payload.callbackUrl ? 'callback' : (payload.delivery ?? 'poll'),
        threadId: payload.threadId ?? taskId,
        ...(payload.metadata && { metadata: payload.metadata }),
        ...{ createdAt: now(), updatedAt: now(), url: `https://handrail.test/inbox/${taskId}` },
        ...(payload.context && { context: payload.context }),
        actions: payload.actions,
        updates: [],
      }
      tasks.push(task)
      if (idempotencyKey) sentWith.set(task, idempotencyKey)
      return { taskId, delivery: task.delivery, url: task.url, ...(warnings.length > 0 && { warnings }) }
    },

    async getTask(taskId, { waitSeconds = 0, include = [] } = {}, signal) {
      const until = Date.now() + waitSeconds * 1000
      while (find(taskId).status === 'open' && Date.now() < until) {
        await change((until - Date.now()) / 1000, signal)
      }
      const { context, actions, updates, ...task } = find(taskId)
      return structuredClone({
        ...task,
        ...(include.includes('context') && context && { context }),
        ...(include.includes('actions') && actions && { actions }),
        ...(include.includes('updates') && updates && { updates }),
      })
    },

    async listTasks({ fields, status, type, app, limit = 20 } = {}) {
      const found = tasks.filter(
        (task) =>
          (!status || task.status === status) && (!type || task.type === type) && (!app || task.app === app),
      )
      const listed = page(found, limit)
      return fields === 'summary' ? { ...listed, tasks: listed.tasks.map(summaryOf) } : listed
    },

    async searchTasks({ query, limit = 20 }) {
      const words = query.toLowerCase().split(/\s+/)
      const found = tasks.filter((task) => {
        const text = `${task.taskId} ${task.type} ${task.name} ${task.description}`.toLowerCase()
        return words.every((word) => text.includes(word))
      })
      return page(found, limit)
    },

    async sendUpdate(taskId, input) {
      const { message, level = 'info', progress } = parse(SendUpdate, input)
      const task = findOpen(taskId)
      const update = {
        ...{ updateId: newId('upd_'), message, level, at: now() },
        ...(progress !== undefined && { progress }),
      }
      task.updates?.push(update)
      task.latestUpdate = update
      task.updatedAt = update.at
      return { taskId, updateId: update.updateId, createdAt: update.at }
    },

    async cancelTask(taskId, input = {}) {
      const { reason } = parse(CancelTask, input)
      if (find(taskId).status !== 'cancelled') {
        end(findOpen(taskId), 'cancelled', { cancelled: { at: now(), ...(reason && { reason }) } })
      }
      return { taskId, status: 'cancelled' }
    },

    latestFeedbackAnalysis: async () => ({ found: false, message: 'The test inbox analyses nothing.' }),
  }

  return {
    client,
    tasks,
    answer(taskId, actionId, data = {}) {
      const action = findOpen(taskId).actions?.find((candidate) => candidate.id === actionId)
      if (!action) {
        const ids = find(taskId).actions?.map(({ id }) => id)
        throw refusal([{ path: 'actionId', message: `No such action. This task has: ${ids?.join(', ')}.` }])
      }
      refuse(checkActionAnswer(action, data, patterns))
      handle(taskId, action, data)
    },
    markDone: (taskId) => handle(taskId, reservedActions.markDone, {}),
    reject: (taskId, feedback) => handle(taskId, reservedActions.rejectRequest, { feedback }),
    expire: (taskId) => end(findOpen(taskId), 'expired', {}),
  }
}

function page(found: TaskRecord[], limit: number) {
  const newest = found.toReversed().slice(0, limit)
  const tasks = newest.map(({ context: _, actions: __, updates: ___, ...task }) => structuredClone(task))
  return { tasks, nextCursor: null }
}

function parse<T>(
  shape: { safeParse: (value: unknown) => { success: true; data: T } | { success: false; error: unknown } },
  value: unknown,
): T {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw refusal(zodViolations(result.error as Parameters<typeof zodViolations>[0]))
}

function refuse(errors: Violation[]): void {
  if (errors.length > 0) throw refusal(errors)
}

function refusal(errors: Violation[]): HandrailProblem {
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
