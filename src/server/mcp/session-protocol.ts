import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import {
  type AuthInfo,
  isInitializeRequest,
  legacyStatelessFallback,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import type { Limit } from '../lib/request-limit.ts'
import { askStore, type McpSession, newSessionId, type SessionStore } from '../lib/session-store.ts'
import type { TakeSlot } from '../lib/slots.ts'
import type { KeyOwner } from './backend.ts'
import { announceCancelled } from './cancellations.ts'
import type { Identified } from './guards.ts'
import { errorCodes, goingAway, jsonRpcError, tooManyStreams } from './json-rpc.ts'
import { count, tooManyRequests } from './request-limits.ts'
import { createSessionMemory } from './session-cache.ts'
import type { Streams } from './streams.ts'

// A session holds the version that its client asked for. One that is not known here was answered with the newest.
const versionsWithBatches = ['2024-10-07', '2024-11-05', '2025-03-26']

/** What the SDK hands through to the server it asks for: who calls, in which session. */
export type AuthInfoFor = (caller: Identified, sessionId?: string) => AuthInfo

/**
 * 2025-03-26 to 2025-11-25: initialize, a session, its GET stream, DELETE. The SDK answers each POST without state; the session is a
 * row in the store, so any node answers any request.
 */
export function createLegacyEra(options: {
  factory: McpServerFactory
  store: SessionStore
  streams: Streams
  authInfoFor: AuthInfoFor
  onError(error: Error): void
  /** Aborted when the service drains. */
  closing: AbortSignal
  sessionLimit: Limit
  takeStream: TakeSlot
}) {
  const { store, streams, authInfoFor, closing, sessionLimit, takeStream } = options
  const findKnown = createSessionMemory(store)
  const answer = legacyStatelessFallback(options.factory, options.onError)

  async function post(request: Request, body: unknown, identified: Identified): Promise<Response> {
    if (!isInitializeRequest(body)) {
      const session = await findSession(request, identified.owner)
      if (session instanceof Response) return session
      if (Array.isArray(body) && !versionsWithBatches.includes(session.protocolVersion)) return noBatches()
      const messages = Array.isArray(body) ? body : [body]
      await askStore(announceCancelled(store, session.sessionId, messages))
      return await answer(request, { parsedBody: body, authInfo: authInfoFor(identified, session.sessionId) })
    }
    const refused = await count(sessionLimit, 'sessions', identified.owner.keyId, 1)
    if (refused) return tooManyRequests(refused)
    const sessionId = newSessionId(store.place)
    const response = await answer(request, { parsedBody: body, authInfo: authInfoFor(identified, sessionId) })
    if (!response.ok) return response
    const { keyId, workspaceId } = identified.owner
    const { protocolVersion } = body.params
    await askStore(
      store.create({ sessionId, keyId, workspaceId, protocolVersion: protocolVersion.slice(0, 20) }),
    )
    const headers = new Headers(response.headers)
    headers.set('mcp-session-id', sessionId)
    return new Response(response.body, { status: response.status, headers })
  }

  async function get(request: Request, identified: Identified, bindings: HttpBindings): Promise<Response> {
    const session = await findSession(request, identified.owner)
    if (session instanceof Response) return session
    if (!/text\/event-stream|\*\/\*/.test(request.headers.get('accept') ?? '')) {
      return jsonRpcError(406, errorCodes.refused, 'Not Acceptable: send Accept: text/event-stream.')
    }
    const lastEventId = request.headers.get('last-event-id')
    if (lastEventId !== null && !/^\d{1,15}$/.test(lastEventId)) {
      return jsonRpcError(400, errorCodes.refused, 'Last-Event-ID is not an id of this stream.')
    }
    if (closing.aborted) return goingAway()
    const freeStream = takeStream(identified.owner.keyId)
    if (!freeStream) return tooManyStreams()
    bindings.outgoing.once('close', freeStream)
    if (bindings.outgoing.closed) freeStream()
    const after = lastEventId === null ? undefined : Number(lastEventId)
    const started = await streams.start(session, identified.apiKey, bindings.outgoing, after)
    return started ? RESPONSE_ALREADY_SENT : sessionNotFound()
  }

  async function end(request: Request, owner: KeyOwner): Promise<Response> {
    const session = await findSession(request, owner)
    if (session instanceof Response) return session
    await askStore(store.end(session.sessionId))
    return new Response(null, { status: 204 })
  }

  /** Missing is 400, unknown is 404. A session is its key's alone: another key, even of the same workspace, gets 404. */
  async function findSession(request: Request, owner: KeyOwner): Promise<McpSession | Response> {
    const sessionId = request.headers.get('mcp-session-id')
    if (sessionId === null) {
      return jsonRpcError(
        400,
        errorCodes.refused,
        'Bad Request: Mcp-Session-Id header is required. Call initialize first.',
      )
    }
    const session = sessionId.length <= 64 ? await askStore(findKnown(sessionId)) : undefined
    if (session?.workspaceId === owner.workspaceId && session.keyId === owner.keyId) return session
    return sessionNotFound()
  }

  return { post, get, end, findSession }
}

function noBatches(): Response {
  const message =
    'Batches were removed in protocol version 2025-06-18. Send one message per request, or negotiate 2025-03-26.'
  return jsonRpcError(400, errorCodes.invalidRequest, message)
}

function sessionNotFound(): Response {
  return jsonRpcError(404, errorCodes.sessionNotFound, 'Session not found. Call initialize again.')
}
