import type { Attempt } from '../../lib/outbound-http.ts'

export type AttemptResult = Attempt & {
  /** Retrying is pointless, for example because the recipient no longer exists or may no longer get it. */
  isPermanent?: true
  /** Nothing was sent because nobody needs it any more, which is no failure. `error` says why. */
  isNotNeeded?: true
}

/** Nothing was sent, and a retry would not change that. */
export function permanentFailure(error: string): AttemptResult {
  return { status: undefined, durationMilliseconds: 0, error, isPermanent: true }
}

/** Nothing was sent, for example because the task has ended. `reason` begins in lower case. */
export function notNeeded(reason: string): AttemptResult {
  return { status: undefined, durationMilliseconds: 0, error: `Not sent: ${reason}`, isNotNeeded: true }
}

/**
 * `post` sends callbacks, chat messages and web push messages to their URL. `sendToMcp` sends a
 * signed event to our own MCP server, whose URL is never taken from a request.
 */
export type Transport = {
  /** Implemented in lib/outbound-http.ts. */
  post(
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    signal: AbortSignal,
  ): Promise<AttemptResult>
  /**
   * Implemented in send-to-mcp.ts. Undefined if this process knows no MCP server; it then claims
   * deliveries to MCP sessions only after a day, and they fail (due-deliveries.ts).
   */
  sendToMcp:
    | ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<AttemptResult>)
    | undefined
}
