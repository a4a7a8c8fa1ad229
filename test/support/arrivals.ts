/** What comes over a line, kept in order, until the line ends. */
export function arrivalsOf<T>() {
  const seen: T[] = []
  let isOpen = true
  let tell = () => {}
  return {
    seen,
    isOpen: () => isOpen,
    add(one: T) {
      seen.push(one)
      tell()
    },
    end() {
      isOpen = false
      tell()
    },
    /** The first `count`, as soon as they are there. */
    async first(count: number, patienceMilliseconds = 20_000): Promise<T[]> {
      const end = Date.now() + patienceMilliseconds
      while (seen.length < count) {
        const left = end - Date.now()
        if (left <= 0 || !isOpen)
          throw new Error(`${seen.length} of ${count} came: ${JSON.stringify(seen.slice(-5))}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          tell = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return seen.slice(0, count)
    },
  }
}
