import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver of callbacks that responds with 204 and records when each arrived. */
export async function startReceiver() {
  let came = (_at: number) => {}
  const server = createServer((request, response) => {
    const at = performance.now()
    request.resume()
    response.writeHead(204).end()
    came(at)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () =>
      new Promise<number>((resolve) => {
        came = resolve
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
