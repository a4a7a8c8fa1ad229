import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * A proxy as operators put in front of nodes: takes them in turn, without affinity, and passes over one that is not
 * there. Adds headers, for programs that cannot send a key. What the sender says of Host and Origin stays.
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
      pass(incoming, Buffer.concat(chunks), outgoing, targets.length)
    })().catch(() => outgoing.destroy())
  })

  function pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tries: number): void {
    const target = targets[turn++ % targets.length]
    if (!target || tries === 0) return void outgoing.writeHead(502).end()
    const onward = request(
      `${target}${incoming.url}`,
      { method: incoming.method!, headers: { ...incoming.headers, ...headers } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
        answer.on('aborted', () => outgoing.destroy())
      },
    )
    onward.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else pass(incoming, body, outgoing, tries - 1)
    })
    outgoing.on('close', () => onward.destroy())
    onward.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Nodes may be added once they are there, and headers once they are known. */
    targets,
    headers,
    requests,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
