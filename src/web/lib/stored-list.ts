/**
 * The newest entries of a list, stored in this browser. If storage is full or blocked, new entries
 * are not stored.
 */
export function storedList<Entry>(name: string, maxEntries: number) {
  const key = `handrail.${name}`
  function load(): Entry[] {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '[]') as Entry[]
    } catch {
      return []
    }
  }
  return {
    load,
    /**
     * Adds an entry, and removes earlier entries for which `isSame` returns true. Reads the stored
     * list again first, because other tabs add entries too.
     */
    add(entry: Entry, isSame = (other: Entry) => other === entry): void {
      const kept = load().filter((other) => !isSame(other))
      try {
        localStorage.setItem(key, JSON.stringify([...kept, entry].slice(-maxEntries)))
      } catch {}
    },
  }
}
