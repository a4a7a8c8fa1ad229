import type { McpSession, SessionOwner } from '../lib/mcp-session-id.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'

const cacheMilliseconds = 2_000

export type SessionCache = ReturnType<typeof createSessionCache>

/**
 * Remembers for two seconds that a session is open. A wake-up of the session, such as its end on
 * any node, removes it from the cache.
 */
export function createSessionCache(store: McpSessionStore) {
  // By session id. Every entry is valid for the same time, so the first one expires first.
  const cache = new Map<string, { session: McpSession; validUntil: number; evict(): void }>()

  /**
   * `remember` caches the session, unless it is cached already or a wake-up has arrived since this
   * call. `evict` stops listening and removes this entry from the cache.
   */
  function listenForChange(session: McpSession) {
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
      // If an entry is valid for longer than `cacheMilliseconds`, the clock was set back.
      if (validUntil > now && validUntil <= now + cacheMilliseconds) return
      evict()
    }
  }

  return {
    /** Caches a session that was just opened. */
    add(session: McpSession): void {
      evictExpired()
      listenForChange(session).remember()
    },

    /** Finds a cached session of this owner. */
    find(sessionId: string, { workspaceId, keyId }: SessionOwner): McpSession | undefined {
      evictExpired()
      const session = cache.get(sessionId)?.session
      return session?.workspaceId === workspaceId && session.keyId === keyId ? session : undefined
    },

    /** Asks the store whether the session is open, and caches it if it is. */
    async isOpen(session: McpSession): Promise<boolean> {
      // Subscribed before the read, so that an end between the two is not missed.
      const entry = listenForChange(session)
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
