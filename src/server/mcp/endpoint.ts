import type { HttpBindings } from '@hono/node-server'
import { isLegacyRequest, type McpServerFactory, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { limits } from '../../contract/limits.ts'
import type { Trace } from '../../contract/trace.ts'
import type { Violation } from '../../contract/violation.ts'
import { createCredentialWatch } from '../lib/credential-watch.ts'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import { createLimit, type Limit } from '../lib/request-limit.ts'
import type { SessionStore } from '../lib/session-store.ts'
import { createSlots } from '../lib/slots.ts'
import type { Backend } from './backend.ts'
import { onCancelled } from './cancellations.ts'
import { type Identified, identify, refuseForeignOrigin } from './guards.ts'
import { createHandledWebhook } from './handled-webhook.ts'
import { backendRefusal, errorCodes, jsonRpcError } from './json-rpc.ts'
import { createKeyMemory } from './key-cache.ts'
import { asPlainCall, type PlainCall } from './plain-call.ts'
import { readBody } from './read-body.ts'
import {
  costOf,
  count,
  describeRefusal,
  isWorthReading,
  type Refused,
  refusalHeaders,
  toolCallId,
  tooManyRequests,
} from './request-limits.ts'
import { createMcpServer, serverInfo } from './server.ts'
import { serverCard } from './server-card.ts'
import { type AuthInfoFor, createLegacyEra } from './session-protocol.ts'
import { createModernEra } from './stateless-protocol.ts'
import { createStreams } from './streams.ts'
import { createTaskSubscriptions } from './task-subscriptions.ts'
import { refusal, type ToolResult } from './tools/result.ts'
import { callTool, isTool } from './tools.ts'
import { traceOf } from './trace-of.ts'

const sessionsPerMinute = 60

export type McpOptions = {
  backend: Backend
  store: SessionStore
  log: Logger
  metrics: Metrics
  version: string
  basePath: string
  publicUrl: string
  /** Origins that a browser may come from. */
  origins: string[]
  defaultApp: string | undefined
  clientAddress(request: Request, bindings: HttpBindings): string
  draining: AbortSignal
  /** Of the requests of a key. In one process with REST it is the same; without it, sessions and streams are not limited either. */
  keyLimit: Limit
}

type Caller = Identified & { from: string; trace: Trace | undefined; violations: Violation[] }

/** The agents' door: /mcp in both protocol eras, /webhooks/service, and what clients probe around them. */
export function createMcpEndpoint(options: McpOptions) {
  const { backend, store, log, metrics, version, basePath, draining, defaultApp } = options
  const { keyLimit } = options
  const sessionLimit = createLimit(keyLimit ? sessionsPerMinute : 0, 60)
  const takeStream = createSlots(keyLimit ? limits.streamsPerKey : Number.POSITIVE_INFINITY)
  const findKeyOwner = createKeyMemory(backend)
  const modernMeta = { [SERVER_INFO_META_KEY]: serverInfo(version) }
  // Not from the cache: a revoked key must be found out soon.
  const keyWatch = createCredentialWatch(backend.findLostKeys)
  const streams = createStreams({ store, log, metrics, keyWatch })
  const onError = (error: Error) => log.debug({ err: error }, 'mcp')
  const clientFor = ({ apiKey, from, trace }: Caller, sessionId?: string) =>
    backend.clientFor(apiKey, from, trace, sessionId)
  // The SDK hands authInfo through to the factory untouched: our caller travels in it.
  const authInfoFor: AuthInfoFor = (caller, sessionId) => ({
    token: '',
    clientId: caller.owner.keyId,
    scopes: [],
    extra: { caller, sessionId },
  })
  const factory: McpServerFactory = ({ era, authInfo }) => {
    const { caller, sessionId } = authInfo!.extra as { caller: Caller; sessionId?: string }
    const client = clientFor(caller, sessionId)
    const { violations, owner } = caller
    return createMcpServer({
      ...{ client, defaultApp, draining, version, era, scopes: owner.scopes, violations },
      // Without a session, closing the request is what cancels it.
      onCancelled: (requestId, listener) =>
        sessionId === undefined ? () => undefined : onCancelled(store, sessionId, requestId, listener),
    })
  }
  const legacy = createLegacyEra({
    factory,
    store,
    streams,
    authInfoFor,
    onError,
    closing: draining,
    sessionLimit,
    takeStream,
  })
  const listen = createTaskSubscriptions<Caller>({
    awaitTask: backend.awaitTask,
    factory,
    authInfoFor,
    clientFor,
    keyWatch,
    takeStream,
    onError,
    closing: draining,
  })
  const modern = createModernEra({ factory, authInfoFor, listen, onError })
  const receiveWebhook = createHandledWebhook({ backend, store, log })

  const app = new Hono<{ Bindings: HttpBindings }>().basePath(basePath)
  app.all('/mcp', async (context) => {
    const request = context.req.raw
    try {
      return await serve(request, context.env)
    } catch (error) {
      const refusal = backendRefusal(error)
      log[refusal ? 'warn' : 'error']({ err: error }, 'an MCP request failed')
      return refusal ?? jsonRpcError(500, errorCodes.internal, 'Something broke on our side. Try again.')
    }
  })
  app.post('/webhooks/service', (context) => receiveWebhook(context.req.raw))
  app.get('/mcp/server-card', () => serverCard(options.publicUrl, version))
  app.get('/.well-known/mcp/server-card.json', () => serverCard(options.publicUrl, version))
  // Clients look here after a 401. Anything but a plain 404 sends them into a sign-in that does not exist.
  app.all('/.well-known/*', () => new Response('Not found\n', { status: 404 }))
  app.all('/register', () => new Response('Not found\n', { status: 404 }))
  draining.addEventListener('abort', () => void streams.close())

  async function serve(request: Request, bindings: HttpBindings): Promise<Response> {
    const foreign = refuseForeignOrigin(request, options.origins)
    if (foreign) return foreign
    const identified = await identify(request, findKeyOwner)
    if (identified instanceof Response) return identified
    const { keyId } = identified.owner
    const refusedAtOnce = await count(keyLimit, 'key', keyId, 1)
    if (refusedAtOnce && !(request.method === 'POST' && isWorthReading(request)))
      return tooManyRequests(refusedAtOnce)
    if (request.method === 'GET') return await legacy.get(request, identified, bindings)
    if (request.method === 'DELETE') return await legacy.end(request, identified.owner)
    if (request.method !== 'POST') {
      return jsonRpcError(405, errorCodes.refused, 'Method not allowed.', {
        headers: { allow: 'GET, POST, DELETE' },
      })
    }
    const read = await readBody(request)
    if (read instanceof Response) return read
    const { body, violations } = read
    const refused = refusedAtOnce ?? (await count(keyLimit, 'key', keyId, costOf(body) - 1))
    if (refused) return await refuse(refused, request, body)
    const from = options.clientAddress(request, bindings)
    const caller: Caller = { ...identified, from, trace: traceOf(request.headers, body), violations }
    const plain = asPlainCall(request, body)
    if (plain && isTool(plain.name)) return await answer(plain, request, caller)
    const isLegacy = await isLegacyRequest(request, body)
    return await (isLegacy ? legacy : modern).post(request, body, caller)
  }

  /** As the SDK would, without making one of its servers. */
  async function answer(call: PlainCall, request: Request, caller: Caller): Promise<Response> {
    const session = call.era === 'legacy' ? await legacy.findSession(request, caller.owner) : undefined
    if (session instanceof Response) return session
    const { violations } = caller
    const given = violations.length > 0 ? { violations } : { args: call.args }
    const result = await callTool(call.name, given, {
      client: clientFor(caller, session?.sessionId),
      defaultApp,
      draining,
      progress: undefined,
      // Nothing is held here: whoever waits is answered by the SDK's server.
      onCancelled: () => () => undefined,
      // Made when it is asked for: most tools never do.
      get signal() {
        return request.signal
      },
    })
    return toolResponse(call.era, call.id, result!)
  }

  async function refuse(refused: Refused, request: Request, body: unknown): Promise<Response> {
    const id = toolCallId(body)
    if (id === undefined) return tooManyRequests(refused)
    const era = (await isLegacyRequest(request, body)) ? 'legacy' : 'modern'
    return toolResponse(era, id, refusal(describeRefusal(refused)), refusalHeaders(refused))
  }

  function toolResponse(
    era: PlainCall['era'],
    id: PlainCall['id'],
    result: ToolResult,
    headers: Record<string, string> = {},
  ): Response {
    const whole = era === 'modern' ? { ...result, resultType: 'complete', _meta: modernMeta } : result
    const message = JSON.stringify({ result: whole, jsonrpc: '2.0', id })
    return new Response(message, { headers: { 'content-type': 'application/json', ...headers } })
  }

  return {
    app,
    streams,
    async close() {
      await streams.close()
      await modern.close()
      await store.close()
    },
  }
}

/** Paths that belong to this door, below the base path. */
export function isMcpPath(path: string): boolean {
  return /^\/(mcp(\/server-card)?|webhooks\/service|register|\.well-known\/.*)$/.test(path)
}
