import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { HandrailProblem } from '../../client/problem.ts'
import { limits } from '../../contract/limits.ts'
import { SessionStoreUnavailable } from '../lib/mcp-session-store.ts'

const noSlotRetrySeconds = 15

/** A result that does not come from the SDK, with the fields in the order of the SDK's. */
export function jsonRpcResult(
  id: string | number,
  result: Record<string, unknown>,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ result, jsonrpc: '2.0', id }), {
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/**
 * An error that does not come from the SDK, in the shape that MCP clients read. -32000 to -32019
 * are free for servers to use.
 */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  options: { id?: unknown; data?: unknown; headers?: Record<string, string> } = {},
): Response {
  const id = typeof options.id === 'string' || typeof options.id === 'number' ? options.id : null
  const error = { code, message, ...(options.data !== undefined && { data: options.data }) }
  return Response.json(
    { jsonrpc: '2.0', id, error },
    { status, headers: { 'cache-control': 'no-store', ...options.headers } },
  )
}

export const errorCodes = {
  parse: -32700,
  internal: -32603,
  invalidParams: -32602,
  invalidRequest: -32600,
  refused: -32000,
  sessionNotFound: -32001,
}

/**
 * The response to a refusal or an outage of the backend or the session store, outside a tool call.
 * undefined for other errors.
 */
export function backendRefusal(error: unknown, id?: unknown): Response | undefined {
  if (error instanceof SessionStoreUnavailable) {
    return jsonRpcError(503, errorCodes.refused, 'Sessions are temporarily unavailable. Try again.', {
      id,
      headers: { 'retry-after': '2' },
    })
  }
  if (!(error instanceof HandrailProblem)) return undefined
  const { status, detail, code, retryAfterSeconds } = error
  // 0: there was no response.
  const isTransient = status === 0 || status >= 500
  return jsonRpcError(isTransient ? 503 : status, errorCodes.refused, detail, {
    id,
    data: { code },
    headers: isTransient || status === 429 ? { 'retry-after': String(retryAfterSeconds ?? 2) } : {},
  })
}

/**
 * For methods that are not tool calls: throws a refusal by the backend as an error of the protocol.
 * Rethrows other errors.
 */
export function throwAsProtocolError(error: unknown): never {
  if (!(error instanceof HandrailProblem)) throw error
  const { code, detail, status } = error
  const isRefused = status >= 400 && status < 500
  const protocolCode = isRefused ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  throw new ProtocolError(protocolCode, detail, { code })
}

/** Refuses a stream, which a draining server would close immediately. */
export function serverDraining(id?: unknown): Response {
  return jsonRpcError(503, errorCodes.refused, 'This server is shutting down. Connect again.', {
    id,
    headers: { 'retry-after': '1' },
  })
}

/** Refuses another stream of a key or connected app that has the maximum open in this process. */
export function tooManyStreams(id?: unknown): Response {
  const message = `You have too many open streams: this process allows ${limits.streamsPerKey}. Close one, or call get_task with waitSeconds.`
  return jsonRpcError(429, errorCodes.refused, message, {
    id,
    data: { code: 'rate_limited', retryAfterSeconds: noSlotRetrySeconds },
    headers: { 'retry-after': String(noSlotRetrySeconds) },
  })
}
