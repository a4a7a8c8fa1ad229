type Inside = Pick<Request, 'url' | 'method' | 'headers' | 'signal' | 'body' | 'arrayBuffer'>

/**
 * A request that never leaves the process: what our own doors read of one. A Request of Node brings a stream for its body
 * and a signal of its own, which cost more than the rest of the call.
 */
export function createInsideRequest(url: string, init: RequestInit): Request {
  const headers = new Headers(init.headers)
  const bytes = new TextEncoder().encode((init.body as string | undefined) ?? '')
  headers.set('content-length', String(bytes.length))
  const request: Inside = {
    url,
    method: init.method ?? 'GET',
    headers,
    // Made when it is asked for: most routes never do.
    get signal() {
      return init.signal ?? new AbortController().signal
    },
    // Whoever knows the length takes arrayBuffer.
    body: null,
    arrayBuffer: async () => bytes.buffer,
  }
  return request as Request
}
