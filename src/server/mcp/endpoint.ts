import type { HttpBindings } from '@hono/node-server'
import { isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { SessionStore } from '../lib/session-store.ts'
import type { Backend } from './backend.ts'
import { type Identified, identify, readBody, refuseForeignOrigin } from './guards.ts'
import { createHandledWebhook } from './handled-webhook.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'
import { createKeyMemory } from './key-memory.ts'
import { createLegacyEra } from './legacy-era.ts'
import { createModernEra } from './modern-era.ts'
import { createMcpServer } from './server.ts'
import { serverCard } from './server-card.ts'
import { createStreams } from './streams.ts'

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

type Caller = Identified & { from: string; sessionId: string | undefined }

/** The agents' door: /mcp in both protocol eras, /webhooks/service, and what clients probe around them. */
export function createMcpEndpoint(options: McpOptions) {
  const { backend, store, log, metrics, version, basePath } = options
  const findKeyOwner = createKeyMemory(backend)
  const onError = (error: Error) => log.debug({ err: error }, 'mcp')
  const streams = createStreams({
    store,
    log,
    metrics,
    keyIsGood: async (key) => (await findKeyOwner(key)) !== undefined,
  })
  const clientFor = ({ apiKey, from, sessionId }: Caller) => backend.clientFor(apiKey, from, sessionId)
  // The SDK hands authInfo through to the factory untouched: our caller travels in it.
  const factory: McpServerFactory = ({ authInfo }) =>
    createMcpServer({
      client: clientFor(authInfo!.extra!.caller as Caller),
      defaultApp: options.defaultApp,
      version,
    })
  const authInfoFor = (caller: Identified, sessionId: string | undefined) => ({
    token: '',
    clientId: caller.owner.keyId,
    scopes: [],
    extra: { caller: { ...caller, sessionId } },
  })
  const legacy = createLegacyEra({ factory, store, streams, authInfoFor, onError })
  const modern = createModernEra({
    factory,
    authInfoFor,
    clientFor: (identified) => clientFor(identified as Caller),
    onError,
    closing: options.draining,
  })
  const receiveWebhook = createHandledWebhook({ backend, store, log })

  const app = new Hono<{ Bindings: HttpBindings }>().basePath(basePath)
  app.all('/mcp', async (context) => {
    const request = context.req.raw
    try {
      return await serve(request, context.env)
    } catch (error) {
      log.error({ err: error }, 'an MCP request failed')
      return jsonRpcError(500, -32603, 'Something broke on our side. Try again.')
    }
  })
  app.post('/webhooks/service', (context) => receiveWebhook(context.req.raw))
  app.get('/mcp/server-card', () => serverCard(options.publicUrl, version))
  app.get('/.well-known/mcp/server-card.json', () => serverCard(options.publicUrl, version))
  // Clients look here after a 401. Anything but a plain 404 sends them into a sign-in that does not exist.
  app.all('/.well-known/*', () => new Response('Not found\n', { status: 404 }))
  app.all('/register', () => new Response('Not found\n', { status: 404 }))
  options.draining.addEventListener('abort', () => streams.close())

  async function serve(request: Request, bindings: HttpBindings): Promise<Response> {
    const refused = refuseForeignOrigin(request, options.origins)
    if (refused) return refused
    const identified = await identify(request, findKeyOwner)
    if (identified instanceof Response) return identified
    const caller: Caller = {
      ...identified,
      from: options.clientAddress(request, bindings),
      sessionId: undefined,
    }
    if (request.method === 'GET') return await legacy.get(request, caller, bindings)
    if (request.method === 'DELETE') return await legacy.end(request, caller.owner)
    if (request.method !== 'POST') {
      return jsonRpcError(405, errorCodes.refused, 'Method not allowed.', {
        headers: { allow: 'GET, POST, DELETE' },
      })
    }
    const read = await readBody(request)
    if (read instanceof Response) return read
    const isLegacy = await isLegacyRequest(request, read.body)
    return await (isLegacy ? legacy : modern).post(request, read.body, caller)
  }

  return {
    app,
    streams,
    async close() {
      streams.close()
      await modern.close()
      await store.close()
    },
  }
}

/** Paths that belong to this door, below the base path. */
export function isMcpPath(path: string): boolean {
  return /^\/(mcp(\/server-card)?|webhooks\/service|register|\.well-known\/.*)$/.test(path)
}
