import type { Action } from '../contract/action.ts'
import type { CreateTask, TaskCreated } from '../contract/create-task.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { Handled } from '../contract/task-answer.ts'
import type { Revision } from '../contract/task-update.ts'
import { Cancelled, Denied, Expired, InvalidAnswer } from './ask-errors.ts'
import type { QuestionHandler } from './conversation.ts'
import type { FromJsonSchema } from './json-schema-type.ts'
import { createAttempts, retry } from './retry.ts'
import { formOf, isStandardSchema, type StandardSchema, type ToJsonSchema } from './standard-schema.ts'
import type { TaskCalls } from './tasks.ts'
import { type WaitOptions, waitForAnswer } from './wait-for-answer.ts'

/**
 * An action whose form is a JSON Schema, or a schema of a library with Standard Schema, such as zod.
 * Such a library must also implement Standard JSON Schema, or `toJsonSchema` must be passed.
 */
export type AskAction = Omit<Action, 'schema'> & {
  readonly schema?: StandardSchema | Readonly<Record<string, unknown>>
}

/** A reply cannot revise the actions, because the type of the answer depends on the actions of the call. */
export type AskReply = string | { message: string; revision?: Omit<Revision, 'actions'> }

export type Ask<Actions extends readonly AskAction[] = readonly AskAction[]> = Omit<
  CreateTask,
  'actions' | 'idempotencyKey'
> &
  Omit<WaitOptions, 'onQuestion'> & {
    actions: Actions
    /** Called once per question; what it returns is sent as the reply. Sets `acceptsQuestions`. */
    onQuestion?: QuestionHandler<AskReply>
    /**
     * Names this task, such as `refund-58213`. For 24 hours, the same call with the same key
     * returns the same task, also after a restart of your program. Without it, only retries inside
     * the call are safe.
     */
    key?: string
    /** Called once the task exists, to show its `url` or to keep its id. */
    onCreated?: (created: TaskCreated) => void
    /** For schema libraries without Standard JSON Schema: `z.toJSONSchema` for zod before 4.2. */
    toJsonSchema?: ToJsonSchema
  }

type AnswerWith<Id, Data> = Omit<Handled, 'actionId' | 'data'> & {
  /** The id of the action that was chosen. */
  action: Id
  data: Data
  taskId: string
  task: TaskRecord
}

type DataOf<A> = A extends { readonly schema: infer Schema }
  ? Schema extends StandardSchema
    ? NonNullable<Schema['~standard']['types']>['output']
    : FromJsonSchema<Schema>
  : Record<never, never>

/** Narrow it by `action` to get the type of `data`. */
export type Answer<A extends AskAction = AskAction> = A extends AskAction
  ? AnswerWith<A['id'], DataOf<A>>
  : never

/**
 * Creates a task, waits for the answer, checks it with the action's schema and returns it typed by
 * action. Throws `Denied` if a person rejected the task or marked it done, and `Expired`,
 * `Cancelled`, `WaitTimeout` or `InvalidAnswer`.
 */
export async function ask<const Actions extends readonly AskAction[]>(
  calls: Pick<TaskCalls, 'createTask' | 'getTask' | 'sendUpdate'>,
  input: Ask<Actions>,
): Promise<Answer<Actions[number]>> {
  const { actions, key, timeoutSeconds, signal, onQuestion, onCreated, toJsonSchema, ...rest } = input
  const acceptsQuestions = onQuestion && { acceptsQuestions: true }
  const body = {
    ...acceptsQuestions,
    ...rest,
    actions: sentActions(actions, toJsonSchema),
  }
  const idempotencyKey = key ?? crypto.randomUUID()
  const created = await retry(() => calls.createTask(body, { idempotencyKey, ...(signal && { signal }) }), {
    attempts: createAttempts,
    signal,
  })
  onCreated?.(created)
  const wait = {
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(signal && { signal }),
    ...(onQuestion && { onQuestion }),
  }
  const task = await waitForAnswer(calls, created.taskId, wait)
  return (await answerOf(task, actions)) as Answer<Actions[number]>
}

async function answerOf(
  task: TaskRecord,
  actions: readonly AskAction[],
): Promise<AnswerWith<string, unknown>> {
  if (task.status === 'expired') throw new Expired(task)
  if (!task.handled) throw new Cancelled(task)
  const { actionId, data, ...handled } = task.handled
  const action = actions.find(({ id }) => id === actionId)
  // service:reject-request or service:mark-done, which people can always choose.
  if (actionId.startsWith('service:'))
    throw new Denied(task, typeof data.feedback === 'string' ? data.feedback : '')
  if (!action) {
    const message = `"${task.name}" was answered with "${actionId}", an action that a revision added.`
    throw new InvalidAnswer(task, message, [{ message }])
  }
  const checked = await checkedData(task, data, action.schema)
  return { ...handled, action: actionId, data: checked, taskId: task.taskId, task }
}

/** The service explains what is wrong with anything else than a list of objects, such as plain strings. */
function sentActions(actions: readonly AskAction[], toJsonSchema: ToJsonSchema | undefined): Action[] {
  if (!Array.isArray(actions)) return actions as unknown as Action[]
  return actions.map((action) =>
    isStandardSchema(action?.schema) ? { ...action, schema: formOf(action.schema, toJsonSchema) } : action,
  )
}

/** The service has checked the form; a Standard Schema may check more, and may transform. */
async function checkedData(task: TaskRecord, data: unknown, schema: AskAction['schema']): Promise<unknown> {
  if (!isStandardSchema(schema)) return data
  const result = await schema['~standard'].validate(data)
  if (result.issues) {
    const messages = result.issues.map(({ message }) => message).join(' ')
    const message = `The answer to "${task.name}" does not match the schema of its action: ${messages}`
    throw new InvalidAnswer(task, message, result.issues)
  }
  return result.value
}
