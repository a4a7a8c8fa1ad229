import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import {
  type InitializeRequest,
  isInitializeRequest,
  legacyStatelessFallback,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { type McpSession, type SessionIds, storeKindOf } from '../lib/mcp-session-id.ts'
import { callStore, type McpSessionStore } from '../lib/mcp-session-store.ts'
import type { Limit } from '../lib/request-limit.ts'
import type { TakeSlot } from '../lib/slots.ts'
import type { KeyOwner } from './backend.ts'
import { announceCancelled } from './cancellations.ts'
import { showsCards } from './card.ts'
import type { AuthenticatedKey, McpCaller } from './guards.ts'
import { errorCodes, jsonRpcError, jsonRpcResult, serverDraining, tooManyStreams } from './json-rpc.ts'
import { isPlainInitialize, isPlainInitialized } from './plain-call.ts'
import { consumeKeyLimit, tooManyRequests } from './request-limits.ts'
import { initializeResult } from './server.ts'
import { authInfoFor } from './server-factory.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'
import { openStream, type Streams } from './streams.ts'

// A session has the version that its client requests, or the newest version if the server does not
// support the requested one. Clients may send batches only in these versions.
const versionsWithBatches = ['2024-10-07', '2024-11-05', '2025-03-26']

/**
 * Protocol versions up to 2025-11-25: initialize, a session with its GET stream, DELETE. POSTs that
 * plain-call.ts does not recognize are handled by the SDK, without state. The session is its id, and
 * what must be remembered is in the store, so any node can handle any request.
 */
export type SessionProtocol = {
  store: McpSessionStore
  sessionIds: SessionIds
  streams: Streams
  sessionLimit: Limit | undefined
  takeStreamSlot: TakeSlot
  draining: AbortSignal
  version: string
  mcpUrl: string
  sessionCache: SessionCache
  sdkHandler: ReturnType<typeof legacyStatelessFallback>
}

export function createSessionProtocol(
  options: Omit<SessionProtocol, 'sessionCache' | 'sdkHandler'> & {
    factory: McpServerFactory
    onError(error: Error): void
  },
): SessionProtocol {
  const { factory, onError, ...protocol } = options
  return {
    ...protocol,
    sessionCache: createSessionCache(protocol.store),
    // The SDK calls the versions with sessions legacy. Its own sessions are in the memory of one
    // process. Ours are signed ids, which authInfo carries, so this uses the SDK's handler without
    // sessions.
    sdkHandler: legacyStatelessFallback(factory, onError),
  }
}

/** POST: initialize opens a session; every other message needs one. */
export async function handleSessionPost(
  protocol: SessionProtocol,
  request: Request,
  body: unknown,
  caller: McpCaller,
): Promise<Response> {
  if (isInitializeRequest(body)) return await openSession(protocol, request, body, caller)
  const session = await findSession(protocol, request, caller.owner)
  if (session instanceof Response) return session
  if (isPlainInitialized(request, body)) return new Response(null, { status: 202 })
  if (Array.isArray(body) && !session.hasBatches) return batchesRemoved()
  const messages = Array.isArray(body) ? body : [body]
  await callStore(announceCancelled(protocol.store, session.sessionId, messages))
  const { sessionId, showsCards } = session
  const authInfo = authInfoFor({ caller, sessionId, showsCards })
  // The SDK calls the function that createServerFactory returned, then the handler of the method in
  // server.ts.
  return await protocol.sdkHandler(request, { parsedBody: body, authInfo })
}

/** GET: opens the stream that the session's notifications are sent on. */
export async function openSessionStream(
  protocol: SessionProtocol,
  request: Request,
  { apiKey, owner }: AuthenticatedKey,
  { outgoing }: HttpBindings,
): Promise<Response> {
  const session = readSession(protocol, request, owner)
  if (session instanceof Response) return session
  if (!/text\/event-stream|\*\/\*/.test(request.headers.get('accept') ?? '')) {
    return jsonRpcError(406, errorCodes.refused, 'Not Acceptable: send Accept: text/event-stream.')
  }
  const lastEventId = request.headers.get('last-event-id')
  if (lastEventId !== null && !/^\d{1,15}$/.test(lastEventId)) {
    return jsonRpcError(400, errorCodes.refused, 'Last-Event-ID is not an id of this stream.')
  }
  if (protocol.draining.aborted) return serverDraining()
  const releaseSlot = protocol.takeStreamSlot(owner.keyId)
  if (!releaseSlot) return tooManyStreams()
  outgoing.on('close', releaseSlot)
  if (outgoing.closed) releaseSlot()
  const position = lastEventId === null ? undefined : Number(lastEventId)
  const state = await openStream(protocol.streams, session, apiKey, outgoing, position)
  if (state === 'draining') return serverDraining()
  return state === 'open' ? RESPONSE_ALREADY_SENT : sessionNotFound()
}

/** DELETE: ends the session. */
export async function endSession(
  protocol: SessionProtocol,
  request: Request,
  owner: KeyOwner,
): Promise<Response> {
  const session = await findSession(protocol, request, owner)
  if (session instanceof Response) return session
  await callStore(protocol.store.end(session))
  return new Response(null, { status: 204 })
}

/**
 * 400 without a session id, 404 for an unknown or ended one. A session belongs to its key: any
 * other key gets 404.
 */
export async function findSession(
  protocol: SessionProtocol,
  request: Request,
  owner: KeyOwner,
): Promise<McpSession | Response> {
  const cached = protocol.sessionCache.find(request.headers.get('mcp-session-id') ?? '', owner)
  if (cached) return cached
  const session = readSession(protocol, request, owner)
  if (session instanceof Response) return session
  return (await callStore(protocol.sessionCache.isOpen(session))) ? session : sessionNotFound()
}

/** Like findSession, but does not check whether the session is still open. */
function readSession(
  { store, sessionIds }: SessionProtocol,
  request: Request,
  owner: KeyOwner,
): McpSession | Response {
  const sessionId = request.headers.get('mcp-session-id')
  if (sessionId === null) {
    return jsonRpcError(
      400,
      errorCodes.refused,
      'Bad Request: Mcp-Session-Id header is required. Call initialize first.',
    )
  }
  // A session that was opened with the other kind of store, before the configuration changed, would
  // never get its messages.
  if (storeKindOf(sessionId) !== store.kind) return sessionNotFound()
  return sessionIds.read(sessionId, owner) ?? sessionNotFound()
}

async function openSession(
  protocol: SessionProtocol,
  request: Request,
  body: InitializeRequest,
  caller: McpCaller,
): Promise<Response> {
  const { store, sessionIds, sessionCache, sessionLimit } = protocol
  const refusal = await consumeKeyLimit(sessionLimit, 'sessions', caller.owner.keyId, 1)
  if (refusal) return tooManyRequests(refusal)
  const { capabilities, protocolVersion } = body.params
  const session = sessionIds.issue(store.kind, caller.owner, {
    showsCards: showsCards(capabilities),
    hasBatches: versionsWithBatches.includes(protocolVersion),
  })
  const response = await initialize(protocol, request, body, caller, session)
  if (response.ok) sessionCache.add(session)
  return response
}

/**
 * Responds to `initialize` without the SDK if nothing is to be negotiated. With the SDK, a session
 * and its stream take 1.5 x the process's time (bench idle-streams, 2026-11).
 */
async function initialize(
  { sdkHandler, version, mcpUrl }: SessionProtocol,
  request: Request,
  body: InitializeRequest,
  caller: McpCaller,
  { sessionId, showsCards }: McpSession,
): Promise<Response> {
  if (isPlainInitialize(request, body)) {
    const result = initializeResult(body.params.protocolVersion, { version, mcpUrl, showsCards })
    const { id } = body as InitializeRequest & { id: string | number }
    return jsonRpcResult(id, result, { 'mcp-session-id': sessionId })
  }
  const authInfo = authInfoFor({ caller, sessionId, showsCards })
  const response = await sdkHandler(request, { parsedBody: body, authInfo })
  if (!response.ok) return response
  const headers = new Headers(response.headers)
  headers.set('mcp-session-id', sessionId)
  return new Response(response.body, { status: response.status, headers })
}

function batchesRemoved(): Response {
  const message =
    'Batches were removed in protocol version 2025-06-18. Send one message per request, or negotiate 2025-03-26.'
  return jsonRpcError(400, errorCodes.invalidRequest, message)
}

function sessionNotFound(): Response {
  return jsonRpcError(404, errorCodes.sessionNotFound, 'Session not found. Call initialize again.')
}
