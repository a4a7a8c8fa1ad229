import { checkPayload } from '../contract/check-payload.ts'
import { CreateTask } from '../contract/create-task.ts'
import { checkActionAnswer } from '../contract/forms/check-answer.ts'
import type { Question, QuestionKind } from '../contract/question.ts'
import { reservedActions } from '../contract/reserved-actions.ts'
import { CancelTask, type TaskRecord } from '../contract/task.ts'
import { CreateTasks, type TaskResult } from '../contract/task-batch.ts'
import { summaryOf } from '../contract/task-list.ts'
import { keyScopes } from '../contract/workspace.ts'
import { type Client, withAsking } from './client.ts'
import { HandrailProblem } from './problem.ts'
import type { TaskCalls } from './tasks.ts'
import { askQuestion, hasChanged, sendUpdate } from './test-conversation.ts'
import { type Answering, checkReview, giveAnswer, newReview } from './test-review.ts'
import { invalidRequest, now, parse, patterns, TaskStore, throwIfInvalid } from './test-store.ts'

export type TestInbox = {
  /** Pass it to your agent instead of a real client. */
  client: Client
  /** Everything the agent has sent, oldest first. */
  tasks: readonly TaskRecord[]
  /** The oldest open task. Waits until there is one. */
  openTask: () => Promise<TaskRecord>
  answer: (taskId: string, actionId: string, data?: Record<string, unknown>, answering?: Answering) => void
  markDone: (taskId: string, answering?: Answering) => void
  reject: (taskId: string, feedback: string, answering?: Answering) => void
  /** Asks the agent instead of answering. `changes` asks for a revision. Default: `question`. */
  askQuestion: (taskId: string, text: string, kind?: QuestionKind) => Question
  /** The agent's reply to a question. Waits until there is one, or throws when the task ends without. */
  replyTo: (questionId: string) => Promise<NonNullable<Question['answer']>>
  expire: (taskId: string) => void
}

/**
 * `handrail-client/testing`: an in-memory inbox for the tests of your agent, in which the test answers. Invalid
 * payloads and answers are refused with the same messages as by the service, and a review needs as many equal answers.
 * There are no members, policies, rules, deadlines, callbacks or keys, and patterns are JavaScript regular expressions.
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
    answer(taskId, actionId, data = {}, answering = {}) {
      const task = store.findAnswerable(taskId, answering.revision)
      const { actions } = task
      const action = actions?.find((candidate) => candidate.id === actionId)
      if (!action) {
        const ids = actions?.map(({ id }) => id).join(', ')
        throw invalidRequest([{ path: 'actionId', message: `No such action. This task has: ${ids}.` }])
      }
      throwIfInvalid(checkActionAnswer(action, data, patterns))
      giveAnswer(store, task, action, data, answering)
    },
    markDone(taskId, answering = {}) {
      const task = store.findAnswerable(taskId, answering.revision)
      giveAnswer(store, task, reservedActions.markDone, {}, answering)
    },
    reject(taskId, feedback, answering = {}) {
      const task = store.findAnswerable(taskId, answering.revision)
      giveAnswer(store, task, reservedActions.rejectRequest, { feedback }, answering)
    },
    askQuestion: (taskId, text, kind = 'question') => askQuestion(store, taskId, text, kind),
    async replyTo(questionId) {
      const asked = (task: TaskRecord) => task.questions?.find((asked) => asked.questionId === questionId)
      for (;;) {
        const task = store.tasks.find(asked)
        if (!task) throw new TypeError(`No task has the question ${questionId}.`)
        const answer = asked(task)?.answer
        if (answer) return answer
        store.findOpen(task.taskId)
        await store.waitForChange(60, undefined)
      }
    },
    expire: (taskId) => store.end(store.findOpen(taskId), 'expired', {}),
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
    const review = newReview(payload)
    throwIfInvalid([...errors, ...(review ? checkReview(review, payload) : [])])
    const task = { ...newRecord(store.newId('tsk_'), type, payload), ...(review && { review }) }
    store.add(task, payload)
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

    async getTask(taskId, { waitSeconds = 0, afterQuestion, include = [] } = {}, signal) {
      const until = Date.now() + waitSeconds * 1000
      while (waitSeconds > 0 && !hasChanged(store.find(taskId), afterQuestion) && Date.now() < until) {
        await store.waitForChange((until - Date.now()) / 1000, signal)
      }
      const { context, actions, updates, revisions, ...task } = store.find(taskId)
      return structuredClone({
        ...task,
        ...(include.includes('context') && context && { context }),
        ...(include.includes('actions') && actions && { actions }),
        ...(include.includes('updates') && updates && { updates }),
        ...(include.includes('revisions') && revisions && { revisions }),
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

    sendUpdate: async (taskId, input) => sendUpdate(store, taskId, input),

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
    ...(payload.acceptsQuestions && { acceptsQuestions: true }),
    ...{ createdAt: now(), updatedAt: now(), url: `https://handrail.test/inbox/${taskId}` },
    ...(payload.context && { context: payload.context }),
    actions: payload.actions,
    ...{ updates: [], revisions: [] },
  }
}

function page(found: TaskRecord[], limit: number) {
  const newest = found.toReversed().slice(0, limit)
  const tasks = newest.map(({ context: _, actions: __, updates: ___, revisions: ____, ...task }) =>
    structuredClone(task),
  )
  return { tasks, nextCursor: null }
}
