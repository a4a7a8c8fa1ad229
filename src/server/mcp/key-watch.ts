import { limits } from '../../contract/limits.ts'

// Together with the two seconds for which keys are remembered, what is open with a revoked key ends within five.
const checkMilliseconds = 2_000

export type KeyWatch = ReturnType<typeof createKeyWatch>

/** Ends what is open with a key when the key is no longer good. One timer, and one question for many keys. */
export function createKeyWatch(findLostKeys: (apiKeys: string[]) => Promise<string[]>) {
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
    for (let at = 0; at < keys.length; at += limits.internalDigests)
      await checkKeys(keys.slice(at, at + limits.internalDigests))
    checking = false
  }

  async function checkKeys(apiKeys: string[]): Promise<void> {
    // A backend that cannot be asked is no reason to close: the keys were good a moment ago.
    const lost = await findLostKeys(apiKeys).catch(() => [])
    for (const apiKey of lost) for (const end of [...(watched.get(apiKey) ?? [])]) end()
  }

  return { watch, close: () => clearInterval(timer) }
}
