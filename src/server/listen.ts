import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>

// Slow clients are cut: Node's own limits (60 s for headers, 300 s for a body) leave too much room.
const headersTimeout = 15_000
const requestTimeout = 40_000
const connectionsCheckingInterval = 5_000
const maxConnections = 20_000

/** The port is bound before the application exists, because with PORT=0 its own address depends on it. */
export async function listen(host: string, port: number) {
  let fetch: Fetch | undefined
  const server: Server = createServer(
    { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout: 65_000 },
    getRequestListener((request, env) => {
      if (fetch) return fetch(request, env)
      return new Response('Starting.', { status: 503, headers: { 'retry-after': '1' } })
    }),
  )
  server.maxConnections = maxConnections
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
      server.closeIdleConnections()
      const sweep = setInterval(() => server.closeIdleConnections(), 100)
      const cut = setTimeout(() => server.closeAllConnections(), patienceMilliseconds)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
    },
  }
}
