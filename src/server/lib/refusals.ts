import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from '../../contract/problem.ts'
import { securityHeaders } from './security-headers.ts'

type Refusal = { status: number; code: ProblemCode; detail: string }

/** What the HTTP parser complains of, by the code of its error. */
const broken: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'invalid_request',
    detail: 'The headers of a request take at most 16 KiB together. Send fewer or shorter ones.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    detail: 'The request took too long to arrive. Send it again.',
  },
}
const notHttp: Refusal = { status: 400, code: 'invalid_request', detail: 'This is not an HTTP request.' }
const full: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: 'This service has as many connections as it takes. Try again in a moment.',
}

/** For what never became a request: it has no id and no log line, but says what is wrong all the same. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  // The client has gone, or has half an answer already.
  if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent) {
    socket.destroy()
    return
  }
  const refusal = broken[error.code ?? ''] ?? notHttp
  const body = problemOf(refusal)
  const head = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
}

/** For a connection beyond the most there may be. */
export function refuseOneTooMany(response: ServerResponse): void {
  const body = problemOf(full)
  response.writeHead(full.status, { ...headersOf(body), 'retry-after': '5' }).end(body)
}

function problemOf({ status, code, detail }: Refusal): string {
  return JSON.stringify({
    type: `urn:handrail:problem:${code}`,
    title: STATUS_CODES[status],
    status,
    code,
    detail,
  })
}

function headersOf(body: string): Record<string, string> {
  return {
    ...securityHeaders(),
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }
}
