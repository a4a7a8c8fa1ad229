import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { TaskCalls } from '../../client/tasks.ts'
import { TaskId } from '../../contract/ids.ts'
import type { TaskRecord } from '../../contract/task.ts'
import { throwAsProtocolError } from './json-rpc.ts'
import { openQuestionsOf } from './open-questions.ts'
import { withHint } from './tools/get-task.ts'
import { success } from './tools/result.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

const pollIntervalMs = 5_000
const taskParams = z.object({ taskId: TaskId })
const waitingCall = z.strictObject({ taskId: TaskId, waitSeconds: z.number().positive() })

// The SDK does not export the type of the envelope's keys.
type Envelope = { [CLIENT_CAPABILITIES_META_KEY]?: { extensions?: Record<string, unknown> } } | undefined

/**
 * Returns a handle for a client that declares the Tasks extension and calls get_task with
 * waitSeconds while the task is open. Its host then polls `tasks/get` without a turn of the model.
 * A call with `include` or `afterQuestion` waits as usual, because a handle cannot carry them.
 * undefined: the tool is called, and reports errors.
 */
export async function findTaskHandle(
  client: TaskCalls,
  { name, arguments: args }: { name: string; arguments?: Record<string, unknown> | undefined },
  mcpReq: ServerContext['mcpReq'],
) {
  if (name !== 'get_task' || !declaresTasks(mcpReq)) return undefined
  const parsed = waitingCall.safeParse(args)
  if (!parsed.success) return undefined
  const record = await client.getTask(parsed.data.taskId, {}, mcpReq.signal).catch(() => undefined)
  // The SDK's type of a tool result requires content.
  return record && isWorking(record)
    ? { resultType: 'task', ...describeTask(record), content: [] }
    : undefined
}

/**
 * Serves `tasks/get`, `tasks/cancel` and `tasks/update`. The id of a handle is that of its task in
 * Handrail, so nothing is stored for handles.
 */
export function serveTasks(server: Server, client: TaskCalls): void {
  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, { mcpReq }) => {
    requireTasks(mcpReq)
    const record = await client.getTask(taskId, {}, mcpReq.signal).catch(throwAsProtocolError)
    if (isWorking(record) || record.status === 'cancelled') return describeTask(record)
    const result = success(withHint(record))
    return { ...describeTask(record), result: { ...result, resultType: 'complete' } }
  })
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, { mcpReq }) => {
    requireTasks(mcpReq)
    await client.cancelTask(taskId).catch(throwAsProtocolError)
    return {}
  })
  // Clients send requested input with tasks/update. A handle never requests any, so this only
  // checks that the task exists.
  server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, { mcpReq }) => {
    requireTasks(mcpReq)
    await client.getTask(taskId, {}, mcpReq.signal).catch(throwAsProtocolError)
    return {}
  })
}

function declaresTasks({ envelope }: ServerContext['mcpReq']): boolean {
  const capabilities = (envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY]
  return capabilities?.extensions?.[tasksExtension] !== undefined
}

function requireTasks(mcpReq: ServerContext['mcpReq']): void {
  if (!declaresTasks(mcpReq))
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    })
}

/** With an open question the handle completes, so that the model gets a turn to reply. */
function isWorking(record: TaskRecord): boolean {
  return record.status === 'open' && openQuestionsOf(record).length === 0
}

/** An expired task is completed, not failed: `failed` is for errors of the protocol. */
function describeTask(record: TaskRecord) {
  const { taskId, status, createdAt, updatedAt, expiresAt } = record
  return {
    taskId,
    status: isWorking(record) ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed',
    statusMessage: statusMessageOf(record),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: expiresAt ? Math.max(Date.parse(expiresAt) - Date.parse(createdAt), 0) : null,
    pollIntervalMs,
  }
}

function statusMessageOf(record: TaskRecord): string | undefined {
  if (openQuestionsOf(record).length > 0) return 'A person has asked a question. Reply with send_update.'
  const { status, latestUpdate, url } = record
  // An update describes an open task: that it is being worked on, for example.
  return status === 'open' ? (latestUpdate?.message ?? `Waiting for a person: ${url}`) : undefined
}
