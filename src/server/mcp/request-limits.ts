import { type Allowance, type Limit, limitHeaders } from '../lib/request-limit.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

// The id of a refused tool call is read from its body, unless the body is larger than this or of
// unknown length.
const maxRefusedBodyBytes = 64 * 1024

/** A request that exceeds a limit: of requests per key, or of new sessions per key. */
export type LimitRefusal = { policy: 'key' | 'sessions'; allowance: Allowance }

/** Counts `cost` requests. Returns the refusal if they exceed the limit. */
export async function consumeKeyLimit(
  limit: Limit | undefined,
  policy: LimitRefusal['policy'],
  keyId: string,
  cost: number,
): Promise<LimitRefusal | undefined> {
  const allowance = cost > 0 ? await limit?.take(keyId, cost) : undefined
  return allowance && !allowance.allowed ? { policy, allowance } : undefined
}

/** How many requests a message counts as: a batch as its messages, a subscription as its tasks. */
export function costOf(body: unknown): number {
  if (Array.isArray(body)) return Math.max(body.length, 1)
  return isMethod(body, 'subscriptions/listen') ? Math.max(listenedUris(body).length, 1) : 1
}

export function isSmallEnoughToRead({ headers }: Request): boolean {
  return Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= maxRefusedBodyBytes
}

/**
 * The id of the message if it is a single tool call. Such a call is refused with a tool result,
 * because a model never sees the HTTP status.
 */
export function toolCallId(body: unknown): string | number | undefined {
  if (!isMethod(body, 'tools/call')) return undefined
  const { id } = body as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

export function describeLimitRefusal({ policy, allowance }: LimitRefusal) {
  const what = policy === 'key' ? 'requests' : 'new sessions'
  return {
    code: 'rate_limited',
    detail: `Too many ${what}. Wait ${allowance.resetSeconds} s, then continue.`,
    retryAfterSeconds: allowance.resetSeconds,
  }
}

export function limitRefusalHeaders({ policy, allowance }: LimitRefusal): Record<string, string> {
  return { 'retry-after': String(allowance.resetSeconds), ...limitHeaders(policy, allowance) }
}

export function tooManyRequests(refusal: LimitRefusal): Response {
  const { detail, ...data } = describeLimitRefusal(refusal)
  return jsonRpcError(429, errorCodes.refused, detail, { data, headers: limitRefusalHeaders(refusal) })
}

export function listenedUris(body: unknown): string[] {
  const { params } = body as { params?: { notifications?: { resourceSubscriptions?: unknown } } }
  const uris = params?.notifications?.resourceSubscriptions
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === 'string'))] : []
}

function isMethod(body: unknown, method: string): boolean {
  return (body as { method?: unknown } | null)?.method === method
}
