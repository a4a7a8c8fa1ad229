/** The newest entries of a list, kept in this browser. Changes are lost with the page if storage is full or blocked. */
export function storedList<Entry>(name: string, maxEntries: number) {
  const key = `handrail.${name}`
  return {
    load(): Entry[] {
      try {
        return JSON.parse(localStorage.getItem(key) ?? '[]') as Entry[]
      } catch {
        return []
      }
    },
    save(entries: Iterable<Entry>): void {
      try {
        localStorage.setItem(key, JSON.stringify([...entries].slice(-maxEntries)))
      } catch {}
    },
  }
}
