import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from '../../contract/problem.ts'
import { securityHeaders } from './security-headers.ts'

type Refusal = { status: number; code: ProblemCode; detail: string }

/** Keyed by the error codes of Node's HTTP server. */
const refusalByErrorCode: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'invalid_request',
    detail: 'The request headers exceed 16 KiB. Send fewer or shorter headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    detail: 'The request took too long to arrive. Send it again.',
  },
}
const notHttp: Refusal = { status: 400, code: 'invalid_request', detail: 'This is not a valid HTTP request.' }
const connectionLimitReached: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: 'Connection limit reached. Try again in a few seconds.',
}

/**
 * Responds to a request that is malformed, has too large headers or arrives too slowly. The
 * application does not write this response, so it has no request id.
 */
export function refuseInvalidRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Node's internal reference to the response in progress.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  // The client has disconnected, or part of a response was already sent.
  if (!socket.writable || error.code === 'ECONNRESET' || response?.headersSent) {
    socket.destroy()
    return
  }
  const refusal = refusalByErrorCode[error.code ?? ''] ?? notHttp
  const body = toProblem(refusal)
  const head = Object.entries(problemHeaders(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Responds to a request on a connection above the limit. */
export function refuseExcessConnection(response: ServerResponse): void {
  const body = toProblem(connectionLimitReached)
  response.writeHead(connectionLimitReached.status, { ...problemHeaders(body), 'retry-after': '5' }).end(body)
}

function toProblem({ status, code, detail }: Refusal): string {
  return JSON.stringify({
    type: `urn:handrail:problem:${code}`,
    title: STATUS_CODES[status],
    status,
    code,
    detail,
  })
}

function problemHeaders(body: string): Record<string, string> {
  return {
    ...securityHeaders(),
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }
}
