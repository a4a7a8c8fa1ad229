import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
// Its RESPONSE_ALREADY_SENT must be made of Node's Response. getRequestListener puts another in its place, and one made of
// that would be sent, and end every stream.
import '@hono/node-server/utils/response'
import { refuseBrokenRequest, refuseOneTooMany } from './lib/refusals.ts'
import { securityHeaders } from './lib/security-headers.ts'

type Fetch = (request: Request, bindings?: HttpBindings) => Response | Promise<Response>

/**
 * Slow clients are cut: Node's own limits (60 s for headers, 300 s for a body) leave too much room. `timeout` ends a connection on
 * which nothing moves: streams send something every 15 s, waits hold 50 s, so it is a reader that has stopped. Milliseconds.
 */
export const patience = {
  headersTimeout: 15_000,
  requestTimeout: 40_000,
  connectionsCheckingInterval: 5_000,
  timeout: 75_000,
}
const usualHeaders = Object.entries(securityHeaders())
// So many more may come than are served, to be told so. Beyond that they are closed without a word.
const toldToComeBack = 100

/** The port is bound before the application exists, because with PORT=0 its own address depends on it. */
export async function listen(
  host: string,
  port: number,
  maxConnections: number,
  { timeout, ...times } = patience,
) {
  let fetch: Fetch | undefined
  const answer = getRequestListener((request, env) => {
    if (fetch) return fetch(request, env as HttpBindings)
    return new Response('Starting.', { status: 503, headers: { 'retry-after': '1' } })
  })
  // Longer than proxies keep theirs (60 s at nginx): of two ends that close at once, one loses a request.
  const server: Server = createServer({ ...times, keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    // Here, so that no kind of answer is without them; whoever knows better, such as a page, sets its own.
    for (const [name, value] of usualHeaders) outgoing.setHeader(name, value)
    if (tooMany.has(incoming.socket)) refuseOneTooMany(outgoing)
    else void answer(incoming, outgoing)
  })
  server.timeout = timeout
  server.maxConnections = maxConnections + toldToComeBack
  const requestsOn = countRequests(server)
  const tooMany = new WeakSet<Socket>()
  server.on('connection', (socket) => {
    if (requestsOn.size > maxConnections) tooMany.add(socket)
  })
  server.on('clientError', refuseBrokenRequest)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    serve(handler: Fetch) {
      fetch = handler
    },
    /** Accepts nothing new, lets requests finish, and cuts what is left when the time is up. */
    async close(patienceMilliseconds: number): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const closeIdle = () => {
        for (const [socket, requests] of requestsOn) if (requests === 0) socket.destroySoon()
      }
      closeIdle()
      const sweep = setInterval(closeIdle, 100)
      const cut = setTimeout(() => server.closeAllConnections(), patienceMilliseconds)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
    },
  }
}

/**
 * How many requests each connection carries right now. Node's closeIdleConnections() takes one that has not sent its
 * first request for busy; browsers and fetch open such in reserve, and each would hold up the end.
 */
function countRequests(server: Server): Map<Socket, number> {
  const requestsOn = new Map<Socket, number>()
  const count = (socket: Socket, change: 1 | -1) => {
    const before = requestsOn.get(socket)
    if (before !== undefined) requestsOn.set(socket, before + change)
  }
  server.on('connection', (socket) => {
    requestsOn.set(socket, 0)
    socket.once('close', () => requestsOn.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  return requestsOn
}
