import type { McpSession, McpSessionStore } from '../lib/mcp-session-store.ts'

const cacheMilliseconds = 2_000
const maxCached = 20_000

type CachedSession = { session: McpSession; validUntil: number; evict(): void }

export type FindSession = (sessionId: string) => Promise<McpSession | undefined>

/**
 * Looks a session up at most once in two seconds. A session that ends, on any node, leaves the
 * cache immediately.
 */
export function createSessionCache(store: McpSessionStore): FindSession {
  const cache = new Map<string, CachedSession>()

  return async function findSession(sessionId) {
    const cached = cache.get(sessionId)
    if (cached && cached.validUntil > Date.now()) return cached.session
    cached?.evict()
    // Subscribed before the read, so that an end between the two is not missed.
    let hasChanged = false
    const evict = () => {
      hasChanged = true
      cache.delete(sessionId)
      stopListening()
    }
    const stopListening = store.listen(sessionId, evict)
    const session = await store.find(sessionId).catch((error) => {
      evict()
      throw error
    })
    if (cache.size >= maxCached) for (const entry of [...cache.values()]) entry.evict()
    if (!session) evict()
    else if (!hasChanged) cache.set(sessionId, { session, validUntil: Date.now() + cacheMilliseconds, evict })
    return session
  }
}
