// biome-ignore lint/suspicious/noExplicitAny: tests read answers field by field; the door's own checks are what is tested
export type TestAnswer = { status: number; body: any; headers: Headers }

export type Caller = {
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  put(path: string, body?: unknown): Promise<TestAnswer>
  patch(path: string, body?: unknown): Promise<TestAnswer>
  delete(path: string): Promise<TestAnswer>
  /** Any method, any text as the body. */
  send(method: string, path: string, text?: string, headers?: Record<string, string>): Promise<TestAnswer>
}

/** Calls below /api/v1 with the same headers each time. */
export function callAs(url: string, identity: Record<string, string>): Caller {
  async function send(method: string, path: string, text?: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...identity, ...headers },
      ...(text !== undefined && { body: text }),
    })
    const answer = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson ? JSON.parse(answer) : answer, headers: response.headers }
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
