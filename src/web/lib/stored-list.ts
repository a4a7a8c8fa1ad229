/** The newest entries of a list, kept in this browser. Changes are lost with the page if storage is full or blocked. */
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
    /** Adds the newest entry, which replaces those that are the same, to what is stored by now: other tabs add theirs. */
    add(entry: Entry, isSame = (other: Entry) => other === entry): void {
      const kept = load().filter((other) => !isSame(other))
      try {
        localStorage.setItem(key, JSON.stringify([...kept, entry].slice(-maxEntries)))
      } catch {}
    },
  }
}
