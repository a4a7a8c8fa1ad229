import { type Allowance, type Limit, limitHeaders } from '../lib/request-limit.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

// A refused tool call that is larger is not read to find out which one it was.
const readWhenRefusedBytes = 64 * 1024

export type Refused = { policy: 'key' | 'sessions'; allowance: Allowance }

/** undefined: it may go on. */
export async function count(
  limit: Limit,
  policy: Refused['policy'],
  keyId: string,
  cost: number,
): Promise<Refused | undefined> {
  const allowance = cost > 0 ? await limit?.take(keyId, cost) : undefined
  return allowance && !allowance.allowed ? { policy, allowance } : undefined
}

/** What a message costs as requests: a batch as its calls, a subscription as the tasks it looks at. */
export function costOf(body: unknown): number {
  if (Array.isArray(body)) return Math.max(body.length, 1)
  return isMethod(body, 'subscriptions/listen') ? Math.max(listenedUris(body).length, 1) : 1
}

export function isWorthReading({ headers }: Request): boolean {
  return Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= readWhenRefusedBytes
}

/** The call, if that is all the message is: it is refused by a result, because a model never sees the status of a response. */
export function toolCallId(body: unknown): string | number | undefined {
  if (!isMethod(body, 'tools/call')) return undefined
  const { id } = body as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

export function describeRefusal({ policy, allowance }: Refused) {
  const what = policy === 'key' ? 'requests' : 'new sessions'
  return {
    code: 'rate_limited',
    detail: `Too many ${what} with this API key. Wait ${allowance.resetSeconds} s, then continue.`,
    retryAfterSeconds: allowance.resetSeconds,
  }
}

export function refusalHeaders({ policy, allowance }: Refused): Record<string, string> {
  return { 'retry-after': String(allowance.resetSeconds), ...limitHeaders(policy, allowance) }
}

export function tooManyRequests(refused: Refused): Response {
  const { detail, ...data } = describeRefusal(refused)
  return jsonRpcError(429, errorCodes.refused, detail, { data, headers: refusalHeaders(refused) })
}

export function listenedUris(body: unknown): string[] {
  const { params } = body as { params?: { notifications?: { resourceSubscriptions?: unknown } } }
  const uris = params?.notifications?.resourceSubscriptions
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === 'string'))] : []
}

function isMethod(body: unknown, method: string): boolean {
  return (body as { method?: unknown } | null)?.method === method
}
