import { messageSeconds } from '../../lib/mcp-session-store.ts'
import type { Medium } from '../../storage/engine/notification-tables.ts'

/** Seconds after each failed attempt. The first attempt is immediate; the one after the last delay is final. */
const callbackDelays = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]
// Notifications for people lose their value within half an hour. Not in Slack, where messages show the outcome and are cleared.
const messageDelays = callbackDelays.slice(0, 3)
const jitter = 0.2

const mcpDelays = [1, 2, 5]
const mcpFrequently = { every: 10, forSeconds: 10 * 60 }
const mcpRarely = { every: 60, forSeconds: messageSeconds }

/** Returns undefined when there are no more attempts. `attempts` counts this round, including the failed one. */
export function retryDelaySeconds(
  kind: 'callback' | 'sse' | Medium,
  attempts: number,
  ageSeconds: number,
  random: () => number = Math.random,
): number | undefined {
  if (kind !== 'sse') {
    const delay = (kind === 'callback' || kind === 'slack' ? callbackDelays : messageDelays)[attempts - 1]
    return delay === undefined ? undefined : delay * (1 - jitter + 2 * jitter * random())
  }
  // To our own MCP server: fast at first, because a restart takes seconds, then for as long
  // as the log of a session is kept.
  if (attempts <= mcpDelays.length) return mcpDelays[attempts - 1]
  if (ageSeconds < mcpFrequently.forSeconds) return mcpFrequently.every
  return ageSeconds < mcpRarely.forSeconds ? mcpRarely.every : undefined
}
