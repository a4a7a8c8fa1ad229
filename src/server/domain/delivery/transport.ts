import type { Attempt } from '../../lib/outbound-http.ts'

export type AttemptResult = Attempt & {
  /** Retrying is pointless: the recipient no longer exists. */
  isPermanent?: true
}

/** Nothing was sent, and a retry would not change that. */
export function permanentFailure(error: string): AttemptResult {
  return { status: undefined, durationMilliseconds: 0, error, isPermanent: true }
}

/**
 * `post` sends callbacks, chat messages and web push messages to their URL, `sendToMcp` sends a
 * signed event to our own MCP server, never to a URL from a request.
 */
export type Transport = {
  /** lib/outbound-http.ts */
  post(
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<AttemptResult>
  sendToMcp:
    | ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<AttemptResult>)
    | undefined
}
