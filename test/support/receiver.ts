import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: Record<string, string>; body: string; at: number }

/** A receiver of callbacks on loopback. `respond` writes the response; 204 by default. */
export async function startReceiver(
  respond: (received: Received, response: ServerResponse, request: IncomingMessage) => void = (
    _,
    response,
  ) => {
    response.writeHead(204).end()
  },
) {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const call = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body,
        at: Date.now(),
      }
      received.push(call)
      respond(call, response, request)
      for (const wake of waiting) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Resolves when `count` calls have arrived. */
    async calls(count: number): Promise<Received[]> {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
      return received
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
