import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * A load balancer in front of nodes: round robin without affinity, skipping nodes that are down.
 * Adds headers for programs that cannot send a key. Host and Origin are forwarded unchanged.
 */
export async function startProxy() {
  const targets: string[] = []
  const headers: Record<string, string> = {}
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
  let turn = 0

  const server = createServer((incoming, outgoing) => {
    requests.push({ path: incoming.url!, headers: incoming.headers })
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      forward(incoming, Buffer.concat(chunks), outgoing, targets.length)
    })().catch(() => outgoing.destroy())
  })

  function forward(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    attempts: number,
  ): void {
    const target = targets[turn++ % targets.length]
    if (!target || attempts === 0) return void outgoing.writeHead(502).end()
    const upstream = request(
      `${target}${incoming.url}`,
      { method: incoming.method!, headers: { ...incoming.headers, ...headers } },
      (response) => {
        outgoing.writeHead(response.statusCode!, response.headers)
        outgoing.flushHeaders()
        response.pipe(outgoing)
        response.on('error', () => outgoing.destroy())
        response.on('aborted', () => outgoing.destroy())
      },
    )
    upstream.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else forward(incoming, body, outgoing, attempts - 1)
    })
    outgoing.on('close', () => upstream.destroy())
    upstream.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Nodes and headers can be added at any time. */
    targets,
    headers,
    requests,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
