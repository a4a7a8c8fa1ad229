import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'

type Fetch = (request: Request, bindings?: HttpBindings) => Response | Promise<Response>

/** Slow clients are cut: Node's own limits (60 s for headers, 300 s for a body) leave too much room. Milliseconds. */
export const patience = { headersTimeout: 15_000, requestTimeout: 40_000, connectionsCheckingInterval: 5_000 }
const maxConnections = 20_000

/** The port is bound before the application exists, because with PORT=0 its own address depends on it. */
export async function listen(host: string, port: number, times = patience) {
  let fetch: Fetch | undefined
  const server: Server = createServer(
    { ...times, keepAliveTimeout: 65_000 },
    getRequestListener((request, env) => {
      if (fetch) return fetch(request, env as HttpBindings)
      return new Response('Starting.', { status: 503, headers: { 'retry-after': '1' } })
    }),
  )
  server.maxConnections = maxConnections
  const requestsOn = countRequests(server)
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
