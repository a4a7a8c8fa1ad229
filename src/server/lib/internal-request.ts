type RequestParts = Pick<Request, 'url' | 'method' | 'headers' | 'signal' | 'body' | 'arrayBuffer'>

/**
 * A request that stays in the process, with only the parts that our handlers read. Node's Request
 * creates a body stream and a signal, which cost more than the rest of the call.
 */
export function createInternalRequest(url: string, init: RequestInit): Request {
  const headers = new Headers(init.headers)
  const bytes = new TextEncoder().encode((init.body as string | undefined) ?? '')
  headers.set('content-length', String(bytes.length))
  const request: RequestParts = {
    url,
    method: init.method ?? 'GET',
    headers,
    // Created lazily, because most routes never read it.
    get signal() {
      return init.signal ?? new AbortController().signal
    },
    // Handlers call arrayBuffer() when the content length is known.
    body: null,
    arrayBuffer: async () => bytes.buffer,
  }
  return request as Request
}
