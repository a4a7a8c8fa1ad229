// biome-ignore lint/suspicious/noExplicitAny: tests read responses field by field
export type TestResponse = { status: number; body: any; headers: Headers }

export type Caller = {
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  put(path: string, body?: unknown): Promise<TestResponse>
  patch(path: string, body?: unknown): Promise<TestResponse>
  delete(path: string): Promise<TestResponse>
  /** Sends any method with any text as the body. */
  send(method: string, path: string, text?: string, headers?: Record<string, string>): Promise<TestResponse>
}

/** Calls below /api/v1 with the same headers each time. */
export function callAs(url: string, identity: Record<string, string>): Caller {
  async function send(method: string, path: string, text?: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...identity, ...headers },
      ...(text !== undefined && { body: text }),
    })
    const content = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      body: isJson ? JSON.parse(content) : content,
      headers: response.headers,
    }
  }
  const withBody =
    (method: string) =>
    (path: string, body: unknown = {}, headers?: Record<string, string>) =>
      send(method, path, JSON.stringify(body), headers)
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (path) => send('DELETE', path),
    send,
  }
}
