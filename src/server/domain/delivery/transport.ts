import type { Attempt } from '../../storage/delivery/deliveries.ts'

export type AttemptResult = Attempt & {
  retryAfterSeconds?: number
  /** Retrying is pointless: the recipient no longer exists. */
  isPermanent?: true
}

/** Nothing was sent, and a retry would not change that. */
export function permanentFailure(error: string): AttemptResult {
  return { status: undefined, durationMilliseconds: 0, error, isPermanent: true }
}

/** Sends a signed event to its receiver. `sendToMcp` sends it to our own MCP server, never to a URL from a request. */
export type Transport = {
  callback(
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<AttemptResult>
  sendToMcp:
    | ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<AttemptResult>)
    | undefined
}
