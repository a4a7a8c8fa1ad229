import { Agent, type IncomingHttpHeaders, request } from 'node:http'

type HttpResponse = { status: number; headers: IncomingHttpHeaders; text: string; milliseconds: number }

/**
 * Calls one server over keep-alive connections. Uses node:http, because the overhead of fetch would
 * hide differences.
 */
export function createHttpClient(url: string, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  /** Rejects if the status is not below 300. */
  function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<HttpResponse> {
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
            const responseText = Buffer.concat(chunks).toString()
            const { statusCode: status = 0, headers } = response
            if (status < 300) resolve({ status, headers, text: responseText, milliseconds })
            else reject(new Error(`${method} ${path} returned ${status}: ${responseText}`))
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
