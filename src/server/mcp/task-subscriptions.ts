import { setTimeout as sleep } from 'node:timers/promises'
import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import { HandrailProblem } from '../../client/problem.ts'
import type { TaskCalls } from '../../client/tasks.ts'
import type { CredentialWatch } from '../lib/credential-watch.ts'
import { joinSignals } from '../lib/joined-signal.ts'
import type { TakeSlot } from '../lib/slots.ts'
import { type Backend, clientFor, waitForTaskChange } from './backend.ts'
import type { McpCaller } from './guards.ts'
import { backendRefusal, errorCodes, jsonRpcError, serverDraining, tooManyStreams } from './json-rpc.ts'
import { listenedUris } from './request-limits.ts'
import { taskIdOf } from './server.ts'
import { authInfoFor } from './server-factory.ts'

const maxUris = 100
const waitSeconds = 50
const retryMilliseconds = 2_000
const earlyMilliseconds = 1_000

export type TaskSubscriptions = {
  backend: Backend
  factory: McpServerFactory
  keyWatch: CredentialWatch
  takeStreamSlot: TakeSlot
  draining: AbortSignal
  onError(error: Error): void
}

/**
 * `subscriptions/listen` on task://<taskId>: waits for each task and notifies over the SDK's stream
 * when the task has left `open` or a person asks the agent a question.
 */
export async function subscribeToTasks(
  subscriptions: TaskSubscriptions,
  request: Request,
  body: unknown,
  caller: McpCaller,
): Promise<Response> {
  const { backend, factory, takeStreamSlot, draining, onError } = subscriptions
  const id = (body as { id?: unknown }).id
  const uris = listenedUris(body)
  const refusal = draining.aborted
    ? serverDraining(id)
    : await refuseUnknownTasks(clientFor(backend, caller), uris, id)
  if (refusal) return refusal
  const releaseSlot = takeStreamSlot(caller.owner.keyId)
  if (!releaseSlot) return tooManyStreams(id)
  // Each stream has its own handler and bus: the SDK publishes a URI to every subscriber of a bus,
  // whoever they are.
  const bus = new InMemoryServerEventBus(onError)
  const handler = createMcpHandler(factory, { legacy: 'reject', bus, onerror: onError })
  const response = await handler
    .fetch(request, { parsedBody: body, authInfo: authInfoFor({ caller, showsCards: false }) })
    .finally(() => {
      if (bus.listenerCount === 0) releaseSlot()
    })
  // Without a listener there is no subscription: the SDK has refused the request, or there is
  // nothing to subscribe to.
  if (bus.listenerCount === 0) return response
  const signal = holdSubscription(subscriptions, request, caller, () => {
    releaseSlot()
    handler.close().catch(onError)
  })
  for (const uri of uris) {
    const publish = () => bus.publish({ kind: 'resource_updated', uri })
    void followTask(backend, caller.owner.workspaceId, taskIdOf(uri)!, publish, signal)
  }
  return response
}

/** Ends the subscription when the client disconnects, the key is revoked or the service drains. */
function holdSubscription(
  { keyWatch, draining }: TaskSubscriptions,
  request: Request,
  { apiKey }: McpCaller,
  close: () => void,
): AbortSignal {
  const joined = joinSignals(request.signal, draining)
  const stopWatching = keyWatch.watch(apiKey, joined.abort)
  const end = () => {
    stopWatching()
    joined.release()
    close()
  }
  if (joined.signal.aborted) end()
  else joined.signal.addEventListener('abort', end)
  return joined.signal
}

async function refuseUnknownTasks(
  client: TaskCalls,
  uris: string[],
  id: unknown,
): Promise<Response | undefined> {
  if (uris.length > maxUris) {
    const message = `A stream takes at most ${maxUris} resource URIs.`
    return jsonRpcError(400, errorCodes.invalidParams, message, { id })
  }
  try {
    const areKnown = await Promise.all(uris.map((uri) => taskExists(client, uri)))
    const unknown = uris.filter((_, index) => !areKnown[index])
    if (unknown.length === 0) return undefined
    const message = `Resource not found: ${unknown.join(', ')}. Subscribe to task://<taskId> of tasks in your workspace.`
    return jsonRpcError(400, errorCodes.invalidParams, message, { id, data: { uris: unknown } })
  } catch (error) {
    const refusal = backendRefusal(error, id)
    if (refusal) return refusal
    throw error
  }
}

async function taskExists(client: TaskCalls, uri: string): Promise<boolean> {
  const taskId = taskIdOf(uri)
  if (!taskId) return false
  try {
    await client.getTask(taskId)
    return true
  } catch (error) {
    if (error instanceof HandrailProblem && error.code === 'not_found') return false
    throw error
  }
}

/** Publishes each new question and the end of the task. Returns after that, or when the subscription ends. */
export async function followTask(
  backend: Backend,
  workspaceId: string,
  taskId: string,
  publish: () => void,
  signal: AbortSignal,
): Promise<void> {
  const pause = () => sleep(retryMilliseconds, undefined, { signal }).catch(() => undefined)
  let afterQuestion: string | undefined
  while (!signal.aborted) {
    const sentAt = Date.now()
    try {
      const task = await waitForTaskChange(
        backend,
        workspaceId,
        taskId,
        { waitSeconds, afterQuestion },
        signal,
      )
      const hasChanged = task && (task.status !== 'open' || task.question !== undefined)
      if (hasChanged && !signal.aborted) publish()
      if (task?.status !== 'open') return
      afterQuestion = task.question ?? afterQuestion
      // A backend that is shutting down responds early, although nothing has changed.
      if (!hasChanged && Date.now() - sentAt < earlyMilliseconds) await pause()
    } catch {
      await pause()
    }
  }
}
