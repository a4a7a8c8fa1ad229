import type { CreateTask } from '../contract/create-task.ts'
import { type Ask, ask } from './ask.ts'
import { Denied } from './ask-errors.ts'
import type { QuestionHandler } from './conversation.ts'
import type { TaskCalls } from './tasks.ts'

type Text<Args extends unknown[]> = string | ((...args: Args) => string)

export type ApprovalOptions<Args extends unknown[] = unknown[]> = Pick<
  CreateTask,
  | 'app'
  | 'version'
  | 'priority'
  | 'threadId'
  | 'expiresInSeconds'
  | 'metadata'
  | 'assignTo'
  | 'review'
  | 'requireHuman'
> &
  Pick<Ask, 'timeoutSeconds' | 'signal' | 'onCreated'> & {
    /** Type of the task, such as refund-approval. */
    type: string
    /** One line for the list. Default: `Call <function>?`. */
    name?: Text<Args>
    /** Default: a sentence that the agent wants to call the function with these arguments. */
    description?: Text<Args>
    /** What the person sees of the arguments. Default: all of them. */
    show?: (...args: Args) => Record<string, unknown>
    /** Display hints per shown field, as in `context.ui`. */
    ui?: Record<string, unknown>
    /**
     * As in `ask`: within 24 hours, a call with the same key gets the same approval, so your function
     * may run twice. Include every argument: a call that differs only in arguments that are not shown
     * would otherwise get the same approval.
     */
    key?: (...args: Args) => string
    /**
     * Replies to questions with a text. A reply cannot change the arguments: a person who wants other
     * arguments must deny the call.
     */
    onQuestion?: QuestionHandler<string>
  }

const actions = [
  { id: 'approve', title: 'Approve', outcome: 'positive' },
  {
    id: 'deny',
    title: 'Deny',
    outcome: 'negative',
    schema: {
      type: 'object',
      required: ['reason'],
      properties: { reason: { type: 'string', title: 'Why not?' } },
    },
    ui: { reason: { 'ui:widget': 'textarea' } },
  },
] as const

/**
 * Returns a function that asks a person first, and calls `fn` only if the call is approved: by the
 * person or, without `requireHuman`, by a standing rule of the workspace. If the call is denied, the
 * function throws `Denied` with the reason; it also throws the other errors of `ask`. Do not change
 * the arguments while it waits: the person sees them as they were at the call.
 */
export function requireApproval<Args extends unknown[], Result>(
  calls: Pick<TaskCalls, 'createTask' | 'getTask' | 'sendUpdate'>,
  fn: (...args: Args) => Result | Promise<Result>,
  { type, name, description, show, ui, key, onQuestion, ...options }: ApprovalOptions<Args>,
): (...args: Args) => Promise<Result> {
  const functionName = fn.name || 'a function'
  return async (...args) => {
    const data = toJson(show ? show(...args) : argumentsOf(args))
    const answer = await ask(calls, {
      ...options,
      task: {
        type,
        name: textOf(name, args) ?? `Call ${functionName}?`,
        description:
          textOf(description, args) ?? `The agent wants to call ${functionName} with these arguments.`,
      },
      ...(Object.keys(data).length > 0 && { context: { data, ...(ui && { ui }) } }),
      actions,
      ...(key && { key: key(...args) }),
      // A revision would show arguments other than those of the call.
      ...(onQuestion && {
        onQuestion: async (question, task) => ({ message: await onQuestion(question, task) }),
      }),
    })
    if (answer.action === 'approve') return await fn(...args)
    throw new Denied(answer.task, answer.data.reason)
  }
}

function textOf<Args extends unknown[]>(text: Text<Args> | undefined, args: Args): string | undefined {
  return typeof text === 'function' ? text(...args) : text
}

/** One plain object is shown by its fields, anything else by position. */
function argumentsOf(args: unknown[]): Record<string, unknown> {
  if (args.length === 1 && isPlainObject(args[0])) return args[0]
  return Object.fromEntries(args.map((value, index) => [`argument${index + 1}`, value]))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

/** A person must see every argument: what JSON would drop is shown as a list or as text. */
function toJson(data: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(data, function (this: Record<string, unknown>, key, value: unknown) {
      return showable(this[key], value)
    }),
  )
}

/** `value` is what `toJSON` made of the original, if it has one. */
function showable(original: unknown, value: unknown): unknown {
  // An invalid date becomes null.
  if (original instanceof Date && value === null) return String(original)
  if (value instanceof Map || value instanceof Set) return [...value]
  if (value instanceof Error)
    return Object.keys(value).length > 0 ? { error: String(value), ...value } : String(value)
  if (['bigint', 'function', 'symbol', 'undefined'].includes(typeof value)) return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return isOpaque(value) ? textOfOpaque(value) : value
}

/** Not a plain object or a list, and without fields that JSON would show, such as a RegExp. */
function isOpaque(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !isPlainObject(value) && Object.keys(value).length === 0
}

function textOfOpaque(value: object): string {
  const text = String(value)
  return text === '[object Object]' ? `[object ${value.constructor.name}]` : text
}
