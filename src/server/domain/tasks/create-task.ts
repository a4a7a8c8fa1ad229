import { createHash } from 'node:crypto'
import { checkPayload } from '../../../contract/check-payload.ts'
import { limits } from '../../../contract/limits.ts'
import { type CreateTask, priorities, type TaskCreated } from '../../../contract/task.ts'
import type { Trace } from '../../../contract/trace.ts'
import type { Violation } from '../../../contract/violation.ts'
import { newId } from '../../lib/ids.ts'
import { nextTurn } from '../../lib/next-turn.ts'
import { matches, patternProblem } from '../../lib/re2-patterns.ts'
import { findMemberByEmail } from '../../storage/people/members.ts'
import { takeIdempotencyKey } from '../../storage/tasks/idempotency.ts'
import { insertTask, insertTasks } from '../../storage/tasks/insert-task.ts'
import type { Actor } from '../actor.ts'
import { callbackUrlProblem } from '../delivery/check-callback-url.ts'
import { DomainProblem, invalidRequest, payloadTooLarge } from '../problems.ts'
import type { Service } from '../service.ts'
import { snippetOf } from './inbox-row.ts'
import { taskUrl } from './present-task.ts'
import { optionsToStore } from './sent-options.ts'

// Bytes. To look at a smaller one takes a few milliseconds.
const largePayload = 32 * 1024

export type CreateTaskResult = { created: TaskCreated; replayed: boolean }

/** Where the call came from: the MCP session, and the trace it belongs to. */
type Origin = { sessionId?: string | undefined; trace?: Trace | undefined }

export async function createTask(
  service: Service,
  actor: Actor,
  input: CreateTask,
  { sessionId, trace }: Origin = {},
): Promise<CreateTaskResult> {
  const { database, metrics } = service
  const { type, warnings, context, actions, requestHash } = await judge(input, service)
  const taskId = newId('task')
  const threadId = input.threadId ?? taskId
  const priority = priorities.indexOf(input.priority ?? 'normal')
  const push = input.delivery === 'sse'
  if (push) refuseUnreachable(service, sessionId)
  // A callback is always made and always named, whatever delivery said; with sse both happen.
  const delivery = input.callbackUrl === undefined ? (input.delivery ?? 'poll') : 'callback'
  const app = input.app ?? 'default'
  const presentCreated = (id: string): TaskCreated => ({
    taskId: id,
    delivery,
    url: taskUrl(service.publicUrl, actor.workspaceId, id),
    ...(warnings.length > 0 && { warnings }),
  })

  const task = {
    id: taskId,
    threadId,
    app,
    type,
    name: input.task.name,
    description: input.task.description,
    version: input.version,
    priority,
    delivery,
    metadata: input.metadata,
    createdBy: actor.id,
    sessionId,
    traceparent: trace?.traceparent,
    tracestate: trace?.tracestate,
    callbackUrl: input.callbackUrl,
    push,
    expiresInSeconds: input.expiresInSeconds,
    onExpire: input.onExpire && { actionId: input.onExpire.actionId, data: input.onExpire.data ?? {} },
    context,
    actions,
    sent: optionsToStore(input),
    // What the live list shows of a new task; its time is the event's.
    eventBody: {
      name: input.task.name,
      snippet: snippetOf(input.task.description),
      app,
      type,
      priority: priorities[priority],
      delivery,
      ...(input.assignTo !== undefined && { assignedTo: input.assignTo }),
      ...(input.expiresInSeconds !== undefined && { expiresInSeconds: input.expiresInSeconds }),
    },
  }
  // What needs no look at anything else is one statement.
  if (input.idempotencyKey === undefined && input.assignTo === undefined) {
    await insertTask(database, actor.workspaceId, task)
    metrics.tasksCreated.inc()
    return { created: presentCreated(taskId), replayed: false }
  }

  const result = await database.inWorkspace(actor.workspaceId, async (tx) => {
    if (input.idempotencyKey !== undefined) {
      const earlier = await takeIdempotencyKey(
        tx,
        input.idempotencyKey,
        requestHash!,
        taskId,
        limits.idempotencyHours,
      )
      if (earlier && earlier.requestHash !== requestHash) {
        throw new DomainProblem(
          'idempotency_conflict',
          'This idempotency key was used for another request. Send the same arguments again, or use a new key.',
        )
      }
      if (earlier) return { created: presentCreated(earlier.taskId), replayed: true }
    }
    const assignee = input.assignTo === undefined ? undefined : await findMemberByEmail(tx, input.assignTo)
    if (input.assignTo !== undefined && !assignee) {
      throw invalidRequest([
        { path: 'assignTo', message: 'Must be the e-mail address of a member of this workspace.' },
      ])
    }
    await insertTasks(tx, [{ ...task, assignedTo: assignee?.userId }])
    return { created: presentCreated(taskId), replayed: false }
  })
  if (!result.replayed) metrics.tasksCreated.inc()
  return result
}

/** A push that could only get lost is refused when it is asked for. */
function refuseUnreachable({ mcpUrl, reachesSession }: Service, sessionId: string | undefined): void {
  if (mcpUrl !== undefined && (sessionId === undefined || reachesSession(sessionId))) return
  throw new DomainProblem(
    'unavailable',
    mcpUrl === undefined
      ? 'Delivery "sse" needs an MCP server, and this backend knows of none. Set SERVICE_MCP_PUBLIC_URL.'
      : 'Delivery "sse" cannot reach this session, because the backend does not know the address of its MCP server. Use "poll", or set SERVICE_MCP_PUBLIC_URL at the backend.',
    // Nothing changes before someone has.
    { extra: { retryAfterSeconds: 60 } },
  )
}

/** Everything that can be said about the payload without the database; all mistakes at once. */
async function judge(input: CreateTask, service: Service) {
  const context = input.context === undefined ? undefined : JSON.stringify(input.context)
  const actions = JSON.stringify(input.actions)
  const payload =
    bytesOf(context ?? '') + bytesOf(actions) + bytesOf(input.task.description) + bytesOf(input.task.name)
  if (payload > limits.payloadBytes) {
    throw payloadTooLarge(
      `The payload is ${payload} bytes; a task takes at most ${limits.payloadBytes} (task, context and actions).`,
    )
  }
  const isLarge = payload > largePayload
  if (isLarge) await nextTurn()
  const { type, errors, warnings } = checkPayload(input, { patternProblem, matches })
  checkDelivery(input, service, errors)
  if (errors.length > 0) throw invalidRequest(errors)
  if (isLarge) await nextTurn()
  const requestHash = input.idempotencyKey === undefined ? undefined : hashOf(input)
  if (isLarge) await nextTurn()
  return { type: type!, warnings, context, actions, requestHash }
}

function checkDelivery(input: CreateTask, service: Service, errors: Violation[]): void {
  if (input.callbackUrl !== undefined) {
    const problem = callbackUrlProblem(input.callbackUrl, service.mayCall)
    if (problem) errors.push({ path: 'callbackUrl', message: problem })
  } else if (input.delivery === 'callback') {
    errors.push({ path: 'callbackUrl', message: 'Delivery "callback" needs the URL to call.' })
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/** Over the parsed arguments with sorted keys, before defaults: the same call in another spelling is the same call. */
function hashOf({ idempotencyKey: _, ...args }: CreateTask): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(args)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  // Pairs rather than an object: integer-like keys and `__proto__` have an order and a meaning of their own there.
  const pairs = Object.keys(value)
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .sort()
    .map((key) => [key, sorted((value as Record<string, unknown>)[key])])
  return { pairs } // not a bare list: a sender's own list of pairs is another value
}
