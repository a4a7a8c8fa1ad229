import { messageSeconds } from '../../lib/mcp-session-store.ts'
import type { Medium } from '../../storage/engine/notification-tables.ts'

/**
 * Seconds after each failed attempt. The first attempt is immediate; the one after the last delay
 * is final.
 */
const callbackDelays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]
// A late notification is of no use, so its last attempt is about half an hour after the first,
// unless Retry-After delays it. Slack messages have the schedule of callbacks: they must show the
// outcome in the end, and lose their text when content is deleted.
const notificationDelays = callbackDelays.slice(0, 3)
/** The largest random change of a delay, as a share of it. */
const jitter = 0.2

// Deliveries to our own MCP server are retried quickly at first, because a restart takes seconds,
// and then until a message would no longer be kept in the session's log. All values are seconds.
const mcpDelays = [1, 2, 5]
const mcpFrequently = { every: 10, forSeconds: 10 * 60 }
const mcpRarely = { every: 60, forSeconds: messageSeconds }

/**
 * Returns undefined when there are no more attempts. `attempts` includes the failed one. `attempts`
 * and `ageSeconds` are about the current round: an admin's retry starts a new one.
 */
export function retryDelaySeconds(
  kind: 'callback' | 'sse' | Medium,
  attempts: number,
  ageSeconds: number,
  random: () => number = Math.random,
): number | undefined {
  if (kind !== 'sse') {
    const delay = (kind === 'callback' || kind === 'slack' ? callbackDelays : notificationDelays)[
      attempts - 1
    ]
    return delay === undefined ? undefined : delay * (1 - jitter + 2 * jitter * random())
  }
  if (attempts <= mcpDelays.length) return mcpDelays[attempts - 1]
  if (ageSeconds < mcpFrequently.forSeconds) return mcpFrequently.every
  return ageSeconds < mcpRarely.forSeconds ? mcpRarely.every : undefined
}
