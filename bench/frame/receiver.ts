import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * A receiver of callbacks that responds with 204. `next` resolves with the time when the next one
 * arrives.
 */
export async function startReceiver() {
  let onArrival = (_at: number) => {}
  const server = createServer((request, response) => {
    const at = performance.now()
    request.resume()
    response.writeHead(204).end()
    onArrival(at)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () =>
      new Promise<number>((resolve) => {
        onArrival = resolve
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
