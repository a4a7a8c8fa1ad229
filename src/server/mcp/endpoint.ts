import type { HttpBindings } from '@hono/node-server'
import { isLegacyRequest, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import { limits } from '../../contract/limits.ts'
import { isAccessToken, isApiKey } from '../lib/credential-format.ts'
import { createCredentialWatch } from '../lib/credential-watch.ts'
import { networkProblem } from '../lib/key-networks.ts'
import type { Logger } from '../lib/logger.ts'
import { createSessionIds } from '../lib/mcp-session-id.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'
import type { Metrics } from '../lib/metrics.ts'
import { createLimit, type Limit } from '../lib/request-limit.ts'
import { createSlots } from '../lib/slots.ts'
import { type Backend, clientFor, fetchInvalidKeys } from './backend.ts'
import {
  authenticateApp,
  connectPath,
  resourceMetadataPath,
  respondWithResourceMetadata,
} from './connected-apps.ts'
import { type AuthenticatedKey, authenticate, type McpCaller, refuseForeignOrigin } from './guards.ts'
import { backendRefusal, errorCodes, jsonRpcError, jsonRpcResult } from './json-rpc.ts'
import { createKeyCache } from './key-cache.ts'
import { asPlainCall, type PlainCall, type Protocol } from './plain-call.ts'
import { readBody } from './read-body.ts'
import {
  consumeKeyLimit,
  costOf,
  describeLimitRefusal,
  isSmallEnoughToRead,
  type LimitRefusal,
  limitRefusalHeaders,
  toolCallId,
  tooManyRequests,
} from './request-limits.ts'
import { serverInfo } from './server.ts'
import { aiCatalog, aiCatalogPath, serverCard, serverCardPaths } from './server-card.ts'
import { createServerFactory } from './server-factory.ts'
import { receiveServiceWebhook } from './service-webhook.ts'
import {
  createSessionProtocol,
  endSession,
  findSession,
  handleSessionPost,
  openSessionStream,
  type SessionProtocol,
} from './session-protocol.ts'
import {
  closeStatelessProtocol,
  createStatelessProtocol,
  handleStatelessPost,
  type StatelessProtocol,
} from './stateless-protocol.ts'
import { closeStreams, createStreams } from './streams.ts'
import { errorResult, type ToolResult } from './tools/result.ts'
import { callTool, isTool } from './tools.ts'
import { traceOf } from './trace-of.ts'

const sessionsPerMinute = 60

export type McpOptions = {
  backend: Backend
  store: McpSessionStore
  log: Logger
  metrics: Metrics
  version: string
  basePath: string
  /**
   * The public URL of this entry point, without /mcp. That of a separate MCP server differs from
   * PUBLIC_URL.
   */
  mcpUrl: string
  /** Origins that browsers may send requests from. */
  origins: string[]
  defaultApp: string | undefined
  clientAddress(request: Request, bindings: HttpBindings): string
  /** The card that hosts with MCP Apps show in the chat: one HTML file. */
  readCard(): Promise<string>
  draining: AbortSignal
  /**
   * Limits requests per key, together with REST if both run in one process. If undefined, sessions
   * and streams are not limited either.
   */
  callerLimit: Limit | undefined
}

type Environment = { Bindings: HttpBindings }

/** Returns the owner of the credential, or the response that refuses the request. */
type Authenticate = (request: Request) => Promise<AuthenticatedKey | Response>

/** What handling a request at /mcp needs. */
type Endpoint = McpOptions & {
  sessionProtocol: SessionProtocol
  statelessProtocol: StatelessProtocol
}

/**
 * The entry point for agents: /mcp with keys and /mcp/connect with tokens, each in both protocols,
 * /webhooks/service, and the paths that clients probe.
 */
export function createMcpEndpoint(options: McpOptions) {
  const { backend, store, log, version, mcpUrl, draining } = options
  const endpoint = createProtocols(options)
  const { streams } = endpoint.sessionProtocol
  const root = new Hono<Environment>()
  const app = root.basePath(options.basePath)
  const serve = (authenticateRequest: Authenticate) => async (context: Context<Environment>) => {
    try {
      return await handleRequest(endpoint, authenticateRequest, context.req.raw, context.env)
    } catch (error) {
      const refusal = backendRefusal(error)
      log[refusal ? 'warn' : 'error']({ err: error }, 'MCP request failed')
      return refusal ?? jsonRpcError(500, errorCodes.internal, 'Internal error. Try again.')
    }
  }
  const findCachedKeyOwner = createKeyCache(backend, isApiKey)
  const findCachedTokenOwner = createKeyCache(backend, isAccessToken)
  app.all(
    '/mcp',
    serve((request) => authenticate(request, findCachedKeyOwner)),
  )
  app.all(
    connectPath,
    serve((request) => authenticateApp(request, findCachedTokenOwner, mcpUrl)),
  )
  app.post('/webhooks/service', (context) => receiveServiceWebhook(options, context.req.raw))
  for (const path of serverCardPaths) app.get(path, ({ req }) => serverCard(req.raw, mcpUrl, version))
  app.get(aiCatalogPath, ({ req }) => aiCatalog(req.raw, mcpUrl, version))
  // At the root of the host, whatever the base path is.
  root.get(resourceMetadataPath(mcpUrl), () => respondWithResourceMetadata(backend, mcpUrl))
  // Clients with a key probe these after a 401. Metadata in the response would start an OAuth
  // sign-in.
  app.all('/.well-known/*', () => new Response('Not found\n', { status: 404 }))
  app.all('/register', () => new Response('Not found\n', { status: 404 }))
  draining.addEventListener('abort', () => void closeStreams(streams))
  return {
    app: root,
    async close() {
      await closeStreams(streams)
      await closeStatelessProtocol(endpoint.statelessProtocol)
      await store.close()
    },
  }
}

/** Whether this entry point serves a path, given without the base path. */
export function isMcpPath(path: string): boolean {
  // REST serves the metadata of the authorization server.
  if (/^\/\.well-known\/oauth-authorization-server\/(.*\/)?api\/auth$/.test(path)) return false
  return /^\/(mcp(\/server-card|\/connect)?|webhooks\/service|register|\.well-known\/.*)$/.test(path)
}

function createProtocols(options: McpOptions): Endpoint {
  const { backend, store, log, metrics, draining, callerLimit, version, mcpUrl } = options
  const factory = createServerFactory(options)
  const onError = (error: Error) => log.debug({ err: error }, 'MCP SDK error')
  // Bypasses the key cache, so that a revoked key is noticed quickly.
  const keyWatch = createCredentialWatch((apiKeys) => fetchInvalidKeys(backend, apiKeys))
  const takeStreamSlot = createSlots(callerLimit ? limits.streamsPerKey : Number.POSITIVE_INFINITY)
  return {
    ...options,
    sessionProtocol: createSessionProtocol({
      factory,
      store,
      // The one secret that every process with this entry point has.
      sessionIds: createSessionIds(backend.internalToken),
      streams: createStreams({ store, log, metrics, keyWatch }),
      sessionLimit: createLimit('sessions', callerLimit ? sessionsPerMinute : 0, 60),
      takeStreamSlot,
      draining,
      version,
      mcpUrl,
      onError,
    }),
    statelessProtocol: createStatelessProtocol({
      factory,
      subscriptions: { backend, factory, keyWatch, takeStreamSlot, draining, onError },
      onError,
    }),
  }
}

async function handleRequest(
  endpoint: Endpoint,
  authenticateRequest: Authenticate,
  request: Request,
  bindings: HttpBindings,
): Promise<Response> {
  const foreign = refuseForeignOrigin(request, endpoint.origins)
  if (foreign) return foreign
  const authenticated = await authenticateRequest(request)
  if (authenticated instanceof Response) return authenticated
  const { keyId, cidrs } = authenticated.owner
  const from = endpoint.clientAddress(request, bindings)
  const problem = networkProblem(cidrs, from)
  if (problem) return jsonRpcError(403, errorCodes.refused, problem, { data: { code: 'forbidden' } })
  const limitRefusal = await consumeKeyLimit(endpoint.callerLimit, 'key', keyId, 1)
  // A refused POST is read if it is small: the refusal of a tool call is a tool result with the id
  // of the call.
  if (limitRefusal && !(request.method === 'POST' && isSmallEnoughToRead(request)))
    return tooManyRequests(limitRefusal)
  if (request.method === 'GET')
    return await openSessionStream(endpoint.sessionProtocol, request, authenticated, bindings)
  if (request.method === 'DELETE')
    return await endSession(endpoint.sessionProtocol, request, authenticated.owner)
  if (request.method !== 'POST') {
    return jsonRpcError(405, errorCodes.refused, 'Method not allowed.', {
      headers: { allow: 'GET, POST, DELETE' },
    })
  }
  const read = await readBody(request)
  if (read instanceof Response) return read
  const { body, violations } = read
  const postRefusal =
    limitRefusal ?? (await consumeKeyLimit(endpoint.callerLimit, 'key', keyId, costOf(body) - 1))
  if (postRefusal) return await refusePost(endpoint, postRefusal, request, body)
  const trace = traceOf(request.headers, body)
  return await handlePost(endpoint, request, body, { ...authenticated, from, trace, violations })
}

async function handlePost(
  endpoint: Endpoint,
  request: Request,
  body: unknown,
  caller: McpCaller,
): Promise<Response> {
  const plainCall = asPlainCall(request, body)
  if (plainCall && isTool(plainCall.name)) return await handlePlainCall(endpoint, plainCall, request, caller)
  return (await protocolOf(request, body)) === 'session'
    ? await handleSessionPost(endpoint.sessionProtocol, request, body, caller)
    : await handleStatelessPost(endpoint.statelessProtocol, request, body, caller)
}

/** Responds as the SDK would, without creating one of its servers. */
async function handlePlainCall(
  { backend, defaultApp, draining, sessionProtocol, version, mcpUrl }: Endpoint,
  call: PlainCall,
  request: Request,
  caller: McpCaller,
): Promise<Response> {
  const session =
    call.protocol === 'session' ? await findSession(sessionProtocol, request, caller.owner) : undefined
  if (session instanceof Response) return session
  const { violations } = caller
  const input = violations.length > 0 ? { violations } : { args: call.args }
  const result = await callTool(call.name, input, {
    client: clientFor(backend, caller, session?.sessionId),
    defaultApp,
    draining,
    progress: undefined,
    // A plain call never waits, so there is nothing to cancel.
    onCancelled: () => () => undefined,
    // A getter, because Node creates the signal on first access and most tools do not need it.
    get signal() {
      return request.signal
    },
  })
  return toolResponse(call.protocol, serverInfo(version, mcpUrl), call.id, result!)
}

async function refusePost(
  { version, mcpUrl }: Endpoint,
  refusal: LimitRefusal,
  request: Request,
  body: unknown,
): Promise<Response> {
  const id = toolCallId(body)
  if (id === undefined) return tooManyRequests(refusal)
  const protocol = await protocolOf(request, body)
  const info = serverInfo(version, mcpUrl)
  const result = errorResult(describeLimitRefusal(refusal))
  return toolResponse(protocol, info, id, result, limitRefusalHeaders(refusal))
}

async function protocolOf(request: Request, body: unknown): Promise<Protocol> {
  return (await isLegacyRequest(request, body)) ? 'session' : 'stateless'
}

function toolResponse(
  protocol: Protocol,
  info: ReturnType<typeof serverInfo>,
  id: PlainCall['id'],
  result: ToolResult,
  headers: Record<string, string> = {},
): Response {
  const _meta = { [SERVER_INFO_META_KEY]: info }
  const complete = protocol === 'stateless' ? { ...result, resultType: 'complete', _meta } : result
  return jsonRpcResult(id, complete, headers)
}
