// The backend remembers a key for two seconds: with these two, what is open with a revoked key ends within five.
const checkMilliseconds = 2_000
const askedAtOnce = 50

export type KeyWatch = ReturnType<typeof createKeyWatch>

/** Ends what is open with a key when the key is no longer good. One timer, and one question a key however much is open. */
export function createKeyWatch(isGood: (apiKey: string) => Promise<boolean>) {
  const watched = new Map<string, Set<() => void>>()
  let checking = false
  const timer = setInterval(() => void check(), checkMilliseconds).unref()

  /** Returns the way to stop watching. */
  function watch(apiKey: string, end: () => void): () => void {
    const ends = watched.get(apiKey) ?? new Set()
    watched.set(apiKey, ends.add(end))
    return () => {
      ends.delete(end)
      if (ends.size === 0 && watched.get(apiKey) === ends) watched.delete(apiKey)
    }
  }

  async function check(): Promise<void> {
    if (checking) return
    checking = true
    const keys = [...watched.keys()]
    for (let at = 0; at < keys.length; at += askedAtOnce)
      await Promise.all(keys.slice(at, at + askedAtOnce).map(checkKey))
    checking = false
  }

  async function checkKey(apiKey: string): Promise<void> {
    // A backend that cannot be asked is no reason to close: the key was good a moment ago.
    const good = await isGood(apiKey).catch(() => true)
    if (!good) for (const end of [...(watched.get(apiKey) ?? [])]) end()
  }

  return { watch, close: () => clearInterval(timer) }
}
