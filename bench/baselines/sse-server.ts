import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// The baseline of the row idle-streams: node:http and a map of responses. GET /<n> opens a stream,
// POST /<n> writes to it, and one timer sends heartbeats to all of them. Started by
// bench/rows/idle-streams.ts.

const streams = new Map<string, ServerResponse>()
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    streams.set(request.url!, response)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
  } else {
    streams.get(request.url!)!.write('data: {}\n\n')
    response.writeHead(204).end()
  }
})
setInterval(() => {
  for (const stream of streams.values()) stream.write(': still here\n\n')
}, 15_000)
server.listen(0, '127.0.0.1', 4096, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
