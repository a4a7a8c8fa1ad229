import type { Problem } from '../contract/problem.ts'

/**
 * Why a call failed: the problem of the response, or one derived from its status, or that there was
 * no response.
 */
export class HandrailProblem extends Error {
  override readonly name = 'HandrailProblem'
  readonly type: string
  readonly title: string
  /** 0 if there was no response. */
  readonly status: number
  readonly code: Problem['code']
  readonly detail: string
  readonly errors: { path: string; message: string }[]
  readonly requestId: string
  // Only declared, so that an uncaught error is printed without a list of undefined properties.
  declare readonly taskStatus: string | undefined
  /** With `task_revised`: the current revision. */
  declare readonly revision: number | undefined
  declare readonly handledBy: string | undefined
  declare readonly handledAt: string | undefined
  declare readonly actionId: string | undefined
  declare readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem, options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {}) {
    super(problem.detail, 'cause' in options ? { cause: options.cause } : undefined)
    this.type = problem.type
    this.title = problem.title
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId
    const { taskStatus, revision, handledBy, handledAt, actionId } = problem
    const { retryAfterSeconds } = options
    const more = { taskStatus, revision, handledBy, handledAt, actionId, retryAfterSeconds }
    for (const [name, value] of Object.entries(more))
      if (value !== undefined) Object.assign(this, { [name]: value })
  }
}

export async function problemFromResponse(response: Response): Promise<HandrailProblem> {
  const body: unknown = await response.json().catch(() => undefined)
  const retryAfterSeconds = parseRetryAfter(response.headers)
  // A redirect to another origin loses the API key, so "Send an API key" would mislead.
  const isOtherOrigin = response.redirected && response.status === 401
  if (isProblem(body) && !isOtherOrigin) return new HandrailProblem(body, { retryAfterSeconds })
  // The response is the page of a proxy, or an error of better-auth.
  return new HandrailProblem(
    {
      type: 'about:blank',
      title: response.statusText || `Status ${response.status}`,
      status: response.status,
      code: codeOf(response.status),
      detail: isOtherOrigin
        ? `The request was redirected to ${new URL(response.url).origin}, without its API key. Use the final URL of the service.`
        : (messageIn(body) ?? `The service responded with status ${response.status}.`),
      requestId: response.headers.get('x-request-id') ?? '',
    },
    { retryAfterSeconds },
  )
}

export function unreachableProblem(cause: unknown, url?: string): HandrailProblem {
  return new HandrailProblem(
    {
      type: 'about:blank',
      title: 'Unreachable',
      status: 0,
      code: 'unavailable',
      detail: `The service${url === undefined ? '' : ` at ${url}`} could not be reached.`,
      requestId: '',
    },
    { cause },
  )
}

export function notJsonProblem({ status }: Response, cause: unknown): HandrailProblem {
  return new HandrailProblem(
    {
      type: 'about:blank',
      title: 'Not a response from Handrail',
      status,
      code: 'invalid_request',
      detail: 'The response is not JSON. Check that baseUrl is the address of Handrail.',
      requestId: '',
    },
    { cause },
  )
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'requestId' in body
  )
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' ? body.message : undefined
}

function codeOf(status: number): Problem['code'] {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 413) return 'payload_too_large'
  if (status === 429) return 'rate_limited'
  if (status >= 502 && status <= 504) return 'unavailable'
  return status >= 500 ? 'internal' : 'invalid_request'
}

/** Returns seconds. The header contains seconds or an HTTP date; better-auth sends `X-Retry-After`. */
function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? headers.get('x-retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
