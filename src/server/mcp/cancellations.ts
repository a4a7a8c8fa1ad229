import { createHash } from 'node:crypto'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'

// `notifications/cancelled` is a separate request and may reach another node than the call it
// cancels. It is sent as a wake-up whose topic names session and request, so nothing is stored. A
// reconnect can cause a spurious wake-up. A call that is ended by such a wake-up returns the current
// state of its task, which is a valid result at any time.

/**
 * Calls back when the client cancels this request of its session, on whichever node. Returns an
 * unsubscribe function.
 */
export function onCancelled(
  store: McpSessionStore,
  sessionId: string,
  requestId: string | number,
  listener: () => void,
): () => void {
  return store.listen(topicOf(sessionId, requestId), listener)
}

/** Announces the requests that these messages of a session cancel. */
export async function announceCancelled(
  store: McpSessionStore,
  sessionId: string,
  messages: unknown[],
): Promise<void> {
  for (const message of messages) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } }
    const requestId = params?.requestId
    if (method !== 'notifications/cancelled') continue
    if (typeof requestId === 'string' || typeof requestId === 'number')
      await store.wake(topicOf(sessionId, requestId))
  }
}

/** Clients choose request ids: any length, any characters. "1" and 1 are different ids. */
function topicOf(sessionId: string, requestId: string | number): string {
  const digest = createHash('sha256').update(JSON.stringify(requestId)).digest('base64url')
  return `${sessionId}.${digest.slice(0, 16)}`
}
