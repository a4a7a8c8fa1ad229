import { notJsonProblem, problemFromResponse, unreachableProblem } from './problem.ts'

export type ClientOptions = {
  /** Base URL of the service, such as https://handrail.example or https://example.com/handrail. */
  baseUrl: string
  apiKey?: string
  /** For people with a session cookie who belong to several workspaces. */
  workspaceId?: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Lets the request outlive the page that sent it. */
  keepalive?: boolean
}

export type Transport = <Result>(path: string, call?: Call) => Promise<Result>

/** `namedUrl`: the URL to name if the service cannot be reached. Without it, no URL is disclosed. */
export function createTransport(options: ClientOptions, namedUrl?: string): Transport {
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const identity = {
    accept: 'application/json',
    ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
    ...(options.workspaceId && { 'handrail-workspace': options.workspaceId }),
  }

  return async <Result>(path: string, call: Call = {}) => {
    const init: RequestInit = { method: call.method ?? 'GET', headers: { ...identity, ...call.headers } }
    if (call.body !== undefined) {
      init.body = JSON.stringify(call.body)
      init.headers = { ...init.headers, 'content-type': 'application/json' }
    }
    if (call.signal) init.signal = call.signal
    if (call.keepalive) init.keepalive = true

    const response = await send(urlOf(options, path, call.query), init).catch((cause: unknown) => {
      throw call.signal?.aborted ? cause : unreachableProblem(cause, namedUrl)
    })
    if (!response.ok) throw await problemFromResponse(response)
    return (response.status === 204 ? undefined : await readJson(response, call.signal, namedUrl)) as Result
  }
}

async function readJson(
  response: Response,
  signal: AbortSignal | undefined,
  namedUrl: string | undefined,
): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch (cause) {
    if (signal?.aborted) throw cause
    // The connection was lost, or a proxy or another program responded.
    throw cause instanceof SyntaxError ? notJsonProblem(response, cause) : unreachableProblem(cause, namedUrl)
  }
}

export function urlOf({ baseUrl }: ClientOptions, path: string, query?: Record<string, unknown>): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}${queryString(query)}`
}

/** Omits undefined values. Lists become one value separated by commas, as `include` expects. */
function queryString(query: Record<string, unknown> = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) pairs.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}
