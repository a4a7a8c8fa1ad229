import type { CreateTask } from '../contract/create-task.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { Revision, UpdateSent } from '../contract/task-update.ts'
import { type Answer, type Ask, type AskAction, ask } from './ask.ts'
import { type ReplyOptions, type ReviseOptions, reply, revise } from './conversation.ts'
import { type ApprovalOptions, requireApproval } from './require-approval.ts'
import { type SendResult, sendAll } from './send-all.ts'
import { type TaskCalls, taskCalls } from './tasks.ts'
import { type ClientOptions, createTransport } from './transport.ts'
import { type WaitOptions, waitForAnswer } from './wait-for-answer.ts'

export type Client = TaskCalls & {
  /** Creates a task, waits for the answer and returns it, typed by action. */
  ask: <const Actions extends readonly AskAction[]>(input: Ask<Actions>) => Promise<Answer<Actions[number]>>
  /** Returns a function that asks a person to approve its arguments before it calls `fn`. */
  requireApproval: <Args extends unknown[], Result>(
    fn: (...args: Args) => Result | Promise<Result>,
    options: ApprovalOptions<Args>,
  ) => (...args: Args) => Promise<Result>
  /**
   * Creates many tasks, up to 100 per request. Returns the created task or the error of each, in
   * their order.
   */
  sendAll: (tasks: readonly CreateTask[], options?: { signal?: AbortSignal }) => Promise<SendResult[]>
  /** Replies to a person's question about a task, and optionally revises the task. */
  reply: (taskId: string, questionId: string, message: string, options?: ReplyOptions) => Promise<UpdateSent>
  /** Replaces parts of an open task. `message` says what changed. */
  revise: (
    taskId: string,
    revision: Revision,
    message: string,
    options?: ReviseOptions,
  ) => Promise<UpdateSent>
  /** Waits until the task is no longer open and returns its record. */
  waitForAnswer: (taskId: string, options?: WaitOptions) => Promise<TaskRecord>
}

/** The client for agents. It needs an API key. */
export function createClient(options: ClientOptions): Client {
  if (!options.baseUrl)
    throw new Error('baseUrl is missing. Pass the URL of the service, for example from HANDRAIL_URL.')
  if (!/^https?:\/\/./i.test(options.baseUrl))
    throw new Error(
      `baseUrl "${options.baseUrl}" is not a URL of a service. Pass one like https://handrail.example.`,
    )
  // \x20-\x7e are the printable characters of ASCII. `fetch` drops whitespace at the end of a header.
  if (!options.apiKey || !/^[\x20-\x7e]+$/.test(options.apiKey.trim()))
    throw new Error(
      'The API key is missing or contains invalid characters. Set HANDRAIL_API_KEY, and pass it as apiKey.',
    )
  return withAsking(taskCalls(createTransport(options, options.baseUrl)))
}

/** Adds the methods that are built on the calls of the API. */
export function withAsking(calls: TaskCalls): Client {
  return {
    ...calls,
    ask: (input) => ask(calls, input),
    requireApproval: (fn, options) => requireApproval(calls, fn, options),
    sendAll: (tasks, options) => sendAll(calls, tasks, options),
    reply: (taskId, questionId, message, options) => reply(calls, taskId, questionId, message, options),
    revise: (taskId, revision, message, options) => revise(calls, taskId, revision, message, options),
    waitForAnswer: (taskId, options) => waitForAnswer(calls, taskId, options),
  }
}
