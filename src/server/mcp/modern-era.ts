import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Client } from '../../client/client.ts'
import { HandrailProblem } from '../../client/problem.ts'
import type { Identified } from './guards.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'
import type { AuthInfoFor } from './legacy-era.ts'
import { taskIdOf } from './server.ts'

const mostUris = 100
const waitSeconds = 50
const retryMilliseconds = 2_000

/** 2026-07-28: stateless POSTs. `subscriptions/listen` on task:// is a wait on each task, told over the SDK's stream. */
export function createModernEra(options: {
  factory: McpServerFactory
  authInfoFor: AuthInfoFor
  clientFor(identified: Identified): Client
  onError(error: Error): void
  /** Aborted when the service drains. */
  closing: AbortSignal
}) {
  const handler = createMcpHandler(options.factory, { legacy: 'reject', onerror: options.onError })

  async function post(request: Request, body: unknown, identified: Identified): Promise<Response> {
    const uris = listenedUris(body)
    if (uris) return await listen(request, body, [...new Set(uris)], identified)
    return await handler.fetch(request, {
      parsedBody: body,
      authInfo: options.authInfoFor(identified, undefined),
    })
  }

  /** A handler and a bus of its own for each stream: the SDK's router tells any caller of any URI on its bus. */
  async function listen(
    request: Request,
    body: unknown,
    uris: string[],
    identified: Identified,
  ): Promise<Response> {
    const refusal = await refuseUnknownTasks(uris, body, identified)
    if (refusal) return refusal
    const bus = new InMemoryServerEventBus(options.onError)
    const own = createMcpHandler(options.factory, { legacy: 'reject', bus, onerror: options.onError })
    const response = await own.fetch(request, {
      parsedBody: body,
      authInfo: options.authInfoFor(identified, undefined),
    })
    if (!response.ok) return response
    const over = AbortSignal.any([request.signal, options.closing])
    over.addEventListener('abort', () => void own.close())
    const client = options.clientFor(identified)
    for (const uri of uris) {
      void hasEnded(client, uri, over).then(
        (ended) => ended && bus.publish({ kind: 'resource_updated', uri }),
      )
    }
    return response
  }

  /** The SDK's router serves any URI to anyone; what is not this workspace's must not reach it. */
  async function refuseUnknownTasks(
    uris: string[],
    body: unknown,
    identified: Identified,
  ): Promise<Response | undefined> {
    const { id } = body as { id?: unknown }
    if (uris.length > mostUris) {
      return jsonRpcError(
        400,
        errorCodes.invalidParams,
        `A stream takes at most ${mostUris} resource URIs.`,
        { id },
      )
    }
    const client = options.clientFor(identified)
    const known = await Promise.all(uris.map((uri) => exists(client, uri)))
    const unknown = uris.filter((_, index) => !known[index])
    if (unknown.length === 0) return undefined
    const message = `Resource not found: ${unknown.join(', ')}. Subscribe to task://<taskId> of tasks in your workspace.`
    return jsonRpcError(400, errorCodes.invalidParams, message, { id, data: { uris: unknown } })
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

  /** Waits as long as it takes. False: the caller went away, or may not know any more. */
  async function hasEnded(client: Client, uri: string, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        const { status } = await client.getTask(taskIdOf(uri)!, { waitSeconds }, signal)
        if (status !== 'open') return true
      } catch (error) {
        if (signal.aborted || (error instanceof HandrailProblem && [401, 403, 404].includes(error.status)))
          return false
        await new Promise((resolve) => setTimeout(resolve, retryMilliseconds))
      }
    }
    return false
  }

  return { post, close: () => handler.close() }
}

/** undefined: not a request to listen. */
function listenedUris(body: unknown): string[] | undefined {
  const { method, params } = (body ?? {}) as {
    method?: unknown
    params?: { notifications?: { resourceSubscriptions?: unknown } }
  }
  if (method !== 'subscriptions/listen') return undefined
  const uris = params?.notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []
}
