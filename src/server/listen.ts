import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
// Imported before getRequestListener is called, which replaces the global Response:
// RESPONSE_ALREADY_SENT must be created from Node's own class. An instance of the replacement would
// be sent as a response and end the stream.
import '@hono/node-server/utils/response'
import type { FetchHandler } from './lib/fetch-handler.ts'
import type { Logger } from './lib/logger.ts'
import { metricsResponse } from './lib/metrics.ts'
import { refuseExcessConnection, refuseInvalidRequest } from './lib/refusals.ts'
import { securityHeaders } from './lib/security-headers.ts'
import { StartError } from './lib/start-error.ts'

/**
 * Milliseconds. Stricter than Node's defaults (60 s for headers, 300 s for a body). `timeout`
 * closes idle connections: streams send something every 15 s and waits take at most 50 s, so a
 * longer silence means that the client has stopped reading.
 */
export const connectionTimeouts = {
  headersTimeout: 15_000,
  requestTimeout: 40_000,
  connectionsCheckingInterval: 5_000,
  timeout: 75_000,
}
const defaultHeaders = Object.entries(securityHeaders())
// Connections above the limit that are answered with 503. Any more are closed without a response.
const refusedConnections = 100

/**
 * Binds the port before the application exists, because with PORT=0 the public URL depends on it.
 */
export async function listen(
  host: string,
  port: number,
  maxConnections: number,
  { timeout, ...timeouts } = connectionTimeouts,
  portVariable = 'PORT',
) {
  let fetch: FetchHandler | undefined
  const handle = getRequestListener((request, env) => {
    if (fetch) return fetch(request, env as HttpBindings)
    return new Response('Starting.', { status: 503, headers: { 'retry-after': '1' } })
  })
  // Longer than the keep-alive of proxies (60 s in nginx), so that the proxy closes first and no
  // request is lost.
  const server: Server = createServer({ ...timeouts, keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    // Set here so that every response has these headers; pages override some.
    for (const [name, value] of defaultHeaders) outgoing.setHeader(name, value)
    if (overLimit.has(incoming.socket)) refuseExcessConnection(outgoing)
    else void handle(incoming, outgoing)
  })
  server.timeout = timeout
  server.maxConnections = maxConnections + refusedConnections
  const requestsOn = countRequests(server)
  const overLimit = new WeakSet<Socket>()
  server.on('connection', (socket) => {
    if (requestsOn.size > maxConnections) overLimit.add(socket)
  })
  server.on('clientError', refuseInvalidRequest)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, host, port, portVariable)))
    server.listen(port, host, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes requests to `handler`. Until this is called, they get 503. */
    serve(handler: FetchHandler) {
      fetch = handler
    },
    /**
     * Accepts no new connections, closes each connection when its requests have finished, and the
     * rest after the timeout.
     */
    async close(timeoutMilliseconds: number): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const closeIdle = () => {
        for (const [socket, requests] of requestsOn) if (requests === 0) socket.destroySoon()
      }
      closeIdle()
      const sweep = setInterval(closeIdle, 100)
      const deadline = setTimeout(() => server.closeAllConnections(), timeoutMilliseconds)
      await closed
      clearInterval(sweep)
      clearTimeout(deadline)
    },
  }
}

function explainListenError(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable: string,
): StartError {
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} is already in use, perhaps by another Handrail process. Stop it, or set ${variable} to a free port.`,
    )
  const advice =
    code === 'EACCES'
      ? `Set ${variable} to a port above 1023, or allow this user to use lower ones.`
      : 'Set HOST to an address of this machine.'
  return new StartError(`Listening on ${host}, port ${port}, failed (${code ?? message}). ${advice}`)
}

const maxMetricsConnections = 100

/** Listens on METRICS_PORT, if it is set. */
export async function listenForMetrics(
  { host, metricsPort }: { host: string; metricsPort: number | undefined },
  readMetrics: () => Promise<string>,
  log: Logger,
) {
  if (metricsPort === undefined) return undefined
  const listener = await listen(host, metricsPort, maxMetricsConnections, connectionTimeouts, 'METRICS_PORT')
  listener.serve(() => metricsResponse(readMetrics, log))
  return listener
}

/**
 * The number of requests in progress per connection. Node's closeIdleConnections() counts a
 * connection without a first request as busy. Browsers and fetch open such connections in advance,
 * and each would delay the shutdown.
 */
function countRequests(server: Server): Map<Socket, number> {
  const requestsOn = new Map<Socket, number>()
  const count = (socket: Socket, change: 1 | -1) => {
    const before = requestsOn.get(socket)
    if (before !== undefined) requestsOn.set(socket, before + change)
  }
  server.on('connection', (socket) => {
    requestsOn.set(socket, 0)
    // `on`, although it happens once: the wrapper of `once` stays in memory as long as the
    // connection.
    socket.on('close', () => requestsOn.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.on('close', () => count(socket, -1))
  })
  return requestsOn
}
