import { HandrailProblem } from '../../client/problem.ts'
import { limits } from '../../contract/limits.ts'
import { SessionStoreUnavailable } from '../lib/session-store.ts'

const fullRetrySeconds = 15

/** An error before or beside the SDK, in the shape that MCP clients read. -32000 to -32019 are a server's own. */
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

/** What the backend refused, or could not be asked, outside a tool call. undefined: it is something else. */
export function backendRefusal(error: unknown, id?: unknown): Response | undefined {
  if (error instanceof SessionStoreUnavailable) {
    return jsonRpcError(503, errorCodes.refused, 'Sessions are not available right now. Try again.', {
      id,
      headers: { 'retry-after': '2' },
    })
  }
  if (!(error instanceof HandrailProblem)) return undefined
  const { status, detail, code, retryAfterSeconds } = error
  // 0: no answer came.
  const passing = status === 0 || status >= 500
  return jsonRpcError(passing ? 503 : status, errorCodes.refused, detail, {
    id,
    data: { code },
    headers: passing || status === 429 ? { 'retry-after': String(retryAfterSeconds ?? 2) } : {},
  })
}

/** For a stream that would be closed at once. */
export function goingAway(id?: unknown): Response {
  return jsonRpcError(503, errorCodes.refused, 'This server is going away. Connect again.', {
    id,
    headers: { 'retry-after': '1' },
  })
}

/** For a key that holds all the streams it may. */
export function tooManyStreams(id?: unknown): Response {
  const message = `This API key has ${limits.streamsPerKey} streams open, which is the maximum. Close one, or call get_task with waitSeconds.`
  return jsonRpcError(429, errorCodes.refused, message, {
    id,
    data: { code: 'rate_limited', retryAfterSeconds: fullRetrySeconds },
    headers: { 'retry-after': String(fullRetrySeconds) },
  })
}
