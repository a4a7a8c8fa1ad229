/** Functions that are called when something with their key changes. */
export function createListeners() {
  const byKey = new Map<string, Set<() => void>>()

  return {
    /** Returns an unsubscribe function. */
    listen(key: string, listener: () => void): () => void {
      const listeners = byKey.get(key) ?? new Set()
      byKey.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key)
      }
    },

    notify(key: string): void {
      for (const listener of [...(byKey.get(key) ?? [])]) listener()
    },

    notifyAll(): void {
      for (const listeners of [...byKey.values()]) for (const listener of [...listeners]) listener()
    },
  }
}
