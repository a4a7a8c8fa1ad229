import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Answered = { status: number; headers: IncomingHttpHeaders; text: string; milliseconds: number }

/** Calls one URL with keep-alive connections. Uses node:http, because the overhead of fetch would hide differences. */
export function createHttpClient(url: string, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answered> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(
        url + path,
        { method, agent, headers: { ...headers, ...(text && { 'content-type': 'application/json' }) } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const milliseconds = performance.now() - startedAt
            const answer = Buffer.concat(chunks).toString()
            const { statusCode: status = 0, headers } = response
            if (status < 300) resolve({ status, headers, text: answer, milliseconds })
            else reject(new Error(`${method} ${path} answered ${status}: ${answer}`))
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }
  return { send, close: () => agent.destroy() }
}

export type HttpClient = ReturnType<typeof createHttpClient>
