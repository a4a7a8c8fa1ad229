import type { McpSession, SessionStore } from '../lib/session-store.ts'

const rememberMilliseconds = 2_000
const rememberAtMost = 20_000

type Remembered = { session: McpSession; until: number; forget(): void }

/** A session that calls tool after tool is looked up once in two seconds; one that ends is forgotten at once, on every node. */
export function createSessionMemory(store: SessionStore) {
  const known = new Map<string, Remembered>()

  return async function findSession(sessionId: string): Promise<McpSession | undefined> {
    const remembered = known.get(sessionId)
    if (remembered && remembered.until > Date.now()) return remembered.session
    remembered?.forget()
    // Listening begins before the look, so that no end falls between the two.
    let changed = false
    const forget = () => {
      changed = true
      known.delete(sessionId)
      stopListening()
    }
    const stopListening = store.listen(sessionId, forget)
    const session = await store.find(sessionId).catch((error) => {
      forget()
      throw error
    })
    if (known.size >= rememberAtMost) for (const old of [...known.values()]) old.forget()
    if (!session) forget()
    else if (!changed) known.set(sessionId, { session, until: Date.now() + rememberMilliseconds, forget })
    return session
  }
}
