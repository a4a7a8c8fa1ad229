import { type Allowance, type Limit, limitHeaders } from '../lib/request-limit.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

// The id of a refused tool call is read from its body, unless the body is larger than this or of
// unknown length.
const maxRefusedBodyBytes = 64 * 1024

export type Refusal = { policy: 'key' | 'sessions'; allowance: Allowance }

/** Counts `cost` requests. Returns the refusal if they exceed the limit. */
export async function consumeKeyLimit(
  limit: Limit | undefined,
  policy: Refusal['policy'],
  keyId: string,
  cost: number,
): Promise<Refusal | undefined> {
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
 * The id of a single tool call. It is refused with a tool result, because a model never sees the
 * HTTP status.
 */
export function toolCallId(body: unknown): string | number | undefined {
  if (!isMethod(body, 'tools/call')) return undefined
  const { id } = body as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

export function describeRefusal({ policy, allowance }: Refusal) {
  const what = policy === 'key' ? 'requests' : 'new sessions'
  return {
    code: 'rate_limited',
    detail: `Too many ${what}. Wait ${allowance.resetSeconds} s, then continue.`,
    retryAfterSeconds: allowance.resetSeconds,
  }
}

export function refusalHeaders({ policy, allowance }: Refusal): Record<string, string> {
  return { 'retry-after': String(allowance.resetSeconds), ...limitHeaders(policy, allowance) }
}

export function tooManyRequests(refused: Refusal): Response {
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
