import { keyScopes } from '../contract/api-key.ts'
import { checkPayload } from '../contract/check-payload.ts'
import { CreateTask } from '../contract/create-task.ts'
import { checkActionAnswer } from '../contract/forms/check-answer.ts'
import { limits } from '../contract/limits.ts'
import type { Question, QuestionKind } from '../contract/question.ts'
import { reservedActions } from '../contract/reserved-actions.ts'
import { CancelTask, GetTask, type TaskRecord } from '../contract/task.ts'
import { HandleTask, RejectTask } from '../contract/task-answer.ts'
import { CreateTasks, type TaskResult } from '../contract/task-batch.ts'
import { ListTasks, SearchTasks, summaryOf } from '../contract/task-list.ts'
import { pathBelow, type Violation } from '../contract/violation.ts'
import { type Client, withAsking } from './client.ts'
import { HandrailProblem } from './problem.ts'
import { type TaskCalls, withKey } from './tasks.ts'
import { askQuestion, isWaitOver, sendUpdate } from './test-conversation.ts'
import { type Answering, checkReview, giveAnswer, newReview } from './test-review.ts'
import {
  invalidRequest,
  now,
  parse,
  parseBody,
  patterns,
  TaskStore,
  throwIfInvalid,
  throwIfTooLarge,
} from './test-store.ts'

export type TestInbox = {
  /** Pass it to your agent instead of a real client. */
  client: Client
  /** All tasks that the agent has created, oldest first. */
  tasks: readonly TaskRecord[]
  /** The oldest open task. Waits until there is one. */
  openTask: () => Promise<TaskRecord>
  answer: (taskId: string, actionId: string, data?: Record<string, unknown>, answering?: Answering) => void
  markDone: (taskId: string, answering?: Answering) => void
  reject: (taskId: string, feedback: string, answering?: Answering) => void
  /** Asks the agent instead of answering. `changes` asks for a revision. Default: `question`. */
  askQuestion: (taskId: string, text: string, kind?: QuestionKind) => Question
  /** The agent's reply to a question. Waits until there is one, and throws if the task ends without one. */
  replyTo: (questionId: string) => Promise<NonNullable<Question['answer']>>
  /** Ends a task as its deadline would: it expires or, with `onExpire`, is answered with that action. */
  expire: (taskId: string) => void
}

/**
 * `handrail-client/testing`: an in-memory inbox for the tests of your agent, in which the test
 * answers. Invalid payloads and answers are refused with the messages of the service, and a review
 * needs as many equal answers as in the service. There are no members, policies, rules, callbacks or
 * keys, deadlines pass only when the test calls `expire`, and patterns are JavaScript regular
 * expressions.
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
    answer(taskId, actionId, entered = {}, answering = {}) {
      const { data = {} } = parseBody(HandleTask, { actionId, data: entered })
      const task = store.findAnswerable(taskId, answering.revision)
      const { actions } = task
      const action = actions?.find((candidate) => candidate.id === actionId)
      if (!action) {
        const ids = actions?.map(({ id }) => id).join(', ')
        throw invalidRequest([{ path: 'actionId', message: `No such action. This task has: ${ids}.` }])
      }
      const errors = checkActionAnswer(action, data, patterns)
      throwIfInvalid(errors.map((error) => ({ ...error, path: pathBelow('data', error.path) })))
      giveAnswer(store, task, action, data, answering)
    },
    markDone(taskId, answering = {}) {
      const task = store.findAnswerable(taskId, answering.revision)
      giveAnswer(store, task, reservedActions.markDone, {}, answering)
    },
    reject(taskId, feedback, answering = {}) {
      const data = parse(RejectTask.pick({ feedback: true }), { feedback })
      const task = store.findAnswerable(taskId, answering.revision)
      giveAnswer(store, task, reservedActions.rejectRequest, data, answering)
    },
    askQuestion: (taskId, text, kind = 'question') => askQuestion(store, taskId, text, kind),
    async replyTo(questionId) {
      const questionOf = (task: TaskRecord) =>
        task.questions?.find((question) => question.questionId === questionId)
      for (;;) {
        const task = store.tasks.find(questionOf)
        if (!task) throw new TypeError(`No task has the question ${questionId}.`)
        const answer = questionOf(task)?.answer
        if (answer) return answer
        store.findOpen(task.taskId)
        await store.waitForChange(60, undefined)
      }
    },
    expire: (taskId) => store.expire(store.findOpen(taskId)),
  }
}

const zeros = '0'.repeat(26)

function createTestCalls(store: TaskStore): TaskCalls {
  /**
   * As in the service, the status is 201, or 200 if the task was created before with this
   * idempotency key.
   */
  function create(input: CreateTask) {
    const { idempotencyKey, ...payload } = parseBody(CreateTask, input)
    throwIfTooLarge(payload)
    const { type = '', errors, warnings } = checkPayload(payload, patterns)
    throwIfInvalid([...errors, ...callbackErrors(payload)])
    const created = ({ taskId, delivery, url }: TaskRecord) => ({
      ...{ taskId, delivery, url },
      ...(warnings.length > 0 && { warnings }),
    })
    const earlierId = store.earlierResult(idempotencyKey, payload)
    if (earlierId !== undefined) return { status: 200 as const, task: created(store.find(earlierId)) }
    const review = newReview(payload)
    throwIfInvalid(review ? checkReview(review, payload) : [])
    const task = { ...newRecord(store.newId('tsk_'), type, payload), ...(review && { review }) }
    store.add(task, payload)
    store.rememberResult(idempotencyKey, payload, task.taskId)
    return { status: 201 as const, task: created(task) }
  }

  return {
    me: async () => ({
      kind: 'key',
      workspace: { workspaceId: `wsp_${zeros}`, name: 'Test' },
      key: { keyId: `key_${zeros}`, name: 'Test', scopes: [...keyScopes] },
    }),

    createTask: async (input, { idempotencyKey } = {}) => create(withKey(input, idempotencyKey)).task,

    async createTasks(input) {
      const { tasks } = parseBody(CreateTasks, input)
      const results = tasks.map((task): TaskResult => {
        try {
          return create(task)
        } catch (error) {
          if (!(error instanceof HandrailProblem)) throw error
          const { type, title, status, code, detail, errors, requestId } = error
          return { status, problem: { type, title, status, code, detail, errors, requestId } }
        }
      })
      return { results }
    },

    async getTask(taskId, query = {}, signal) {
      const { waitSeconds = 0, afterQuestion, include = [] } = parse(GetTask, query)
      const until = Date.now() + waitSeconds * 1000
      while (waitSeconds > 0 && !isWaitOver(store.find(taskId), afterQuestion) && Date.now() < until) {
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

    async listTasks(query = {}) {
      const { fields, limit, cursor, createdAfter, createdBefore, ...filters } = parse(ListTasks, query)
      const found = store.tasks.filter(
        (task) =>
          matches(task, filters) &&
          (!createdAfter || new Date(task.createdAt) > new Date(createdAfter)) &&
          (!createdBefore || new Date(task.createdAt) < new Date(createdBefore)),
      )
      const listed = page(store, found, limit, cursor)
      return fields === 'summary' ? { ...listed, tasks: listed.tasks.map(summaryOf) } : listed
    },

    async searchTasks(input) {
      const { query, limit, cursor, ...filters } = parse(SearchTasks, input)
      const words = query.toLowerCase().split(/\s+/)
      const found = store.tasks.filter((task) => {
        const text = `${task.taskId} ${task.type} ${task.name} ${task.description}`.toLowerCase()
        return matches(task, filters) && words.every((word) => text.includes(word))
      })
      return page(store, found, limit, cursor)
    },

    sendUpdate: async (taskId, input) => sendUpdate(store, taskId, input),

    async cancelTask(taskId, input = {}) {
      const { reason } = parseBody(CancelTask, input)
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

/** The service also refuses addresses that are not public. */
function callbackErrors({ delivery, callbackUrl }: CreateTask): Violation[] {
  const isMissing = callbackUrl === undefined && delivery === 'callback'
  const message = isMissing
    ? 'Required with delivery "callback". Send an address, or use delivery "poll".'
    : 'Must be a URL, such as https://example.com/handrail.'
  const isValid =
    callbackUrl === undefined ? !isMissing : /^https?:/i.test(callbackUrl) && URL.canParse(callbackUrl)
  return isValid ? [] : [{ path: 'callbackUrl', message }]
}

function newRecord(taskId: string, type: string, payload: CreateTask): TaskRecord {
  const { name, description } = payload.task
  const { assignTo, expiresInSeconds } = payload
  return {
    taskId,
    status: 'open',
    app: payload.app ?? 'default',
    type,
    name,
    description,
    ...(payload.version && { version: payload.version }),
    priority: payload.priority ?? 'normal',
    delivery: payload.callbackUrl ? 'callback' : (payload.delivery ?? 'poll'),
    threadId: payload.threadId ?? taskId,
    ...(assignTo && { assignedTo: assignTo }),
    ...(payload.metadata && { metadata: payload.metadata }),
    ...(expiresInSeconds && { expiresAt: now(expiresInSeconds) }),
    revision: 1,
    waitingFor: 'person',
    ...(payload.acceptsQuestions && { acceptsQuestions: true }),
    createdAt: now(),
    updatedAt: now(),
    url: `https://handrail.test/inbox/${taskId}`,
    ...(payload.context && { context: payload.context }),
    actions: payload.actions,
    updates: [],
    revisions: [],
  }
}

type Filters = Pick<ListTasks, 'status' | 'type' | 'app' | 'version' | 'priority' | 'threadId'>

function matches(task: TaskRecord, filters: Filters): boolean {
  const wanted = Object.entries(filters) as [keyof Filters, string | undefined][]
  return wanted.every(([field, value]) => value === undefined || task[field] === value)
}

/** Newest first. A cursor is the id of the last task of the previous page. */
function page(
  store: TaskStore,
  found: TaskRecord[],
  limit: number = limits.pageDefault,
  cursor: string | undefined,
) {
  const end =
    cursor === undefined ? store.tasks.length : store.tasks.findIndex((task) => task.taskId === cursor)
  if (end === -1) {
    const message = 'Invalid cursor for this list. Send nextCursor from the previous page.'
    throw invalidRequest([{ path: 'cursor', message }])
  }
  const older = found.filter((task) => store.tasks.indexOf(task) < end).toReversed()
  const tasks = older
    .slice(0, limit)
    .map(({ context: _, actions: __, updates: ___, revisions: ____, ...task }) => structuredClone(task))
  return { tasks, nextCursor: older.length > limit ? tasks.at(-1)!.taskId : null }
}
