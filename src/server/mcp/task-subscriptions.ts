import { setTimeout as sleep } from 'node:timers/promises'
import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Client } from '../../client/client.ts'
import { HandrailProblem } from '../../client/problem.ts'
import type { CredentialWatch } from '../lib/credential-watch.ts'
import { joinSignals } from '../lib/joined-signal.ts'
import type { TakeSlot } from '../lib/slots.ts'
import type { Backend } from './backend.ts'
import type { Identified } from './guards.ts'
import { backendRefusal, errorCodes, goingAway, jsonRpcError, tooManyStreams } from './json-rpc.ts'
import { listenedUris } from './request-limits.ts'
import { taskIdOf } from './server.ts'
import type { AuthInfoFor } from './session-protocol.ts'

const mostUris = 100
const waitSeconds = 50
const retryMilliseconds = 2_000

export type Listen<Caller> = (request: Request, body: unknown, caller: Caller) => Promise<Response>

/** `subscriptions/listen` on task://<taskId>: a wait on each task, told over the SDK's stream when it has left `open`. */
export function createTaskSubscriptions<Caller extends Identified>(options: {
  factory: McpServerFactory
  authInfoFor: AuthInfoFor
  clientFor(caller: Caller): Client
  awaitTask: Backend['awaitTask']
  keyWatch: CredentialWatch
  takeStream: TakeSlot
  onError(error: Error): void
  /** Aborted when the service drains. */
  closing: AbortSignal
}): Listen<Caller> {
  const { factory, authInfoFor, clientFor, awaitTask, keyWatch, takeStream, onError, closing } = options

  return async function listen(request, body, caller) {
    const id = (body as { id?: unknown }).id
    const client = clientFor(caller)
    const uris = listenedUris(body)
    const refusal = closing.aborted ? goingAway(id) : await refuseUnknownTasks(client, uris, id)
    if (refusal) return refusal
    const freeStream = takeStream(caller.owner.keyId)
    if (!freeStream) return tooManyStreams(id)
    // A handler and a bus of its own for each stream: the SDK's router tells any caller of any URI on its bus.
    const bus = new InMemoryServerEventBus(onError)
    const handler = createMcpHandler(factory, { legacy: 'reject', bus, onerror: onError })
    const response = await handler
      .fetch(request, { parsedBody: body, authInfo: authInfoFor(caller) })
      .finally(() => bus.listenerCount > 0 || freeStream())
    // The SDK has refused it, or there is nothing to listen to: no subscription was made.
    if (bus.listenerCount === 0) return response
    const over = joinSignals(request.signal, closing)
    const stopWatching = keyWatch.watch(caller.apiKey, over.abort)
    const end = () => {
      stopWatching()
      freeStream()
      over.release()
      handler.close().catch(onError)
    }
    if (over.signal.aborted) end()
    else over.signal.addEventListener('abort', end)
    for (const uri of uris) {
      const wait = () => awaitTask(caller.owner.workspaceId, taskIdOf(uri)!, waitSeconds, over.signal)
      void hasEnded(wait, over.signal).then(
        (ended) => ended && bus.publish({ kind: 'resource_updated', uri }),
      )
    }
    return response
  }
}

async function refuseUnknownTasks(
  client: Client,
  uris: string[],
  id: unknown,
): Promise<Response | undefined> {
  if (uris.length > mostUris) {
    const message = `A stream takes at most ${mostUris} resource URIs.`
    return jsonRpcError(400, errorCodes.invalidParams, message, { id })
  }
  try {
    const known = await Promise.all(uris.map((uri) => exists(client, uri)))
    const unknown = uris.filter((_, index) => !known[index])
    if (unknown.length === 0) return undefined
    const message = `Resource not found: ${unknown.join(', ')}. Subscribe to task://<taskId> of tasks in your workspace.`
    return jsonRpcError(400, errorCodes.invalidParams, message, { id, data: { uris: unknown } })
  } catch (error) {
    const refusal = backendRefusal(error, id)
    if (refusal) return refusal
    throw error
  }
}

async function exists(client: Client, uri: string): Promise<boolean> {
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

/** Waits as long as it takes. False: the stream is over, or the task is no longer there. */
async function hasEnded(wait: () => Promise<string | undefined>, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    try {
      const status = await wait()
      if (status === undefined) return false
      if (status !== 'open') return !over.aborted
    } catch {
      await sleep(retryMilliseconds, undefined, { signal: over }).catch(() => undefined)
    }
  }
  return false
}
