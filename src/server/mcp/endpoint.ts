import type { HttpBindings } from '@hono/node-server'
import { isLegacyRequest, type McpServerFactory, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import type { Violation } from '../../contract/violation.ts'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { SessionStore } from '../lib/session-store.ts'
import type { Backend } from './backend.ts'
import { onCancelled } from './cancellations.ts'
import { type Identified, identify, refuseForeignOrigin } from './guards.ts'
import { createHandledWebhook } from './handled-webhook.ts'
import { backendRefusal, errorCodes, jsonRpcError } from './json-rpc.ts'
import { createKeyMemory } from './key-memory.ts'
import { createKeyWatch } from './key-watch.ts'
import { type AuthInfoFor, createLegacyEra } from './legacy-era.ts'
import { createModernEra } from './modern-era.ts'
import { asPlainCall, type PlainCall } from './plain-call.ts'
import { readBody } from './read-body.ts'
import { createMcpServer, serverInfo } from './server.ts'
import { serverCard } from './server-card.ts'
import { createStreams } from './streams.ts'
import { createTaskSubscriptions } from './task-subscriptions.ts'
import { callTool, isTool } from './tools.ts'

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
}

type Caller = Identified & { from: string; violations: Violation[] }

/** The agents' door: /mcp in both protocol eras, /webhooks/service, and what clients probe around them. */
export function createMcpEndpoint(options: McpOptions) {
  const { backend, store, log, metrics, version, basePath, draining, defaultApp } = options
  const findKeyOwner = createKeyMemory(backend)
  const modernMeta = { [SERVER_INFO_META_KEY]: serverInfo(version) }
  // Not from memory: a revoked key must be found out soon.
  const keyWatch = createKeyWatch(backend.findLostKeys)
  const streams = createStreams({ store, log, metrics, keyWatch })
  const onError = (error: Error) => log.debug({ err: error }, 'mcp')
  const clientFor = ({ apiKey, from }: Caller, sessionId?: string) =>
    backend.clientFor(apiKey, from, sessionId)
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
  const legacy = createLegacyEra({ factory, store, streams, authInfoFor, onError, closing: draining })
  const listen = createTaskSubscriptions<Caller>({
    awaitTask: backend.awaitTask,
    factory,
    authInfoFor,
    clientFor,
    keyWatch,
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
    const refused = refuseForeignOrigin(request, options.origins)
    if (refused) return refused
    const identified = await identify(request, findKeyOwner)
    if (identified instanceof Response) return identified
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
    const caller: Caller = { ...identified, from: options.clientAddress(request, bindings), violations }
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
    const whole = call.era === 'modern' ? { ...result, resultType: 'complete', _meta: modernMeta } : result
    const message = JSON.stringify({ result: whole, jsonrpc: '2.0', id: call.id })
    return new Response(message, { headers: { 'content-type': 'application/json' } })
  }

  return {
    app,
    streams,
    async close() {
      keyWatch.close()
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
