import type { McpSession, SessionOwner } from '../lib/mcp-session-id.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'

const cacheMilliseconds = 2_000

export type SessionCache = ReturnType<typeof createSessionCache>

/**
 * Asks the store at most once in two seconds whether a session is open. A session that ends, on any node, leaves the
 * cache immediately.
 */
export function createSessionCache(store: McpSessionStore) {
  // By session id. All stay equally long, so the first entry is the oldest.
  const cache = new Map<string, { session: McpSession; validUntil: number; evict(): void }>()

  /** `remember` does nothing if the session has changed since the call. */
  function listenForEnd(session: McpSession) {
    const { sessionId } = session
    let hasChanged = false
    const evict = () => {
      hasChanged = true
      stopListening()
      if (cache.get(sessionId)?.evict === evict) cache.delete(sessionId)
    }
    const stopListening = store.listen(sessionId, evict)
    return {
      evict,
      remember() {
        if (hasChanged || cache.has(sessionId)) return evict()
        cache.set(sessionId, { session, validUntil: Date.now() + cacheMilliseconds, evict })
      },
    }
  }

  function evictExpired(): void {
    const now = Date.now()
    for (const { validUntil, evict } of cache.values()) {
      // Further ahead: the clock was set back.
      if (validUntil > now && validUntil <= now + cacheMilliseconds) return
      evict()
    }
  }

  return {
    /** A session that was just opened. */
    add(session: McpSession): void {
      evictExpired()
      listenForEnd(session).remember()
    },

    /** A session of this owner that was open within the last two seconds. */
    find(sessionId: string, { workspaceId, keyId }: SessionOwner): McpSession | undefined {
      evictExpired()
      const session = cache.get(sessionId)?.session
      return session?.workspaceId === workspaceId && session.keyId === keyId ? session : undefined
    },

    /** Asks the store. */
    async isOpen(session: McpSession): Promise<boolean> {
      // Subscribed before the read, so that an end between the two is not missed.
      const entry = listenForEnd(session)
      const isOpen = await store.isOpen(session).catch((error) => {
        entry.evict()
        throw error
      })
      if (isOpen) entry.remember()
      else entry.evict()
      return isOpen
    },
  }
}
