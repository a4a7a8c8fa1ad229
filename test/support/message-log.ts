import { waitOptions } from './wait-options.ts'

/** Records the messages of a connection in order until it ends. */
export function createMessageLog<T>() {
  const seen: T[] = []
  let isOpen = true
  let wake = () => {}
  return {
    seen,
    isOpen: () => isOpen,
    add(message: T) {
      seen.push(message)
      wake()
    },
    end() {
      isOpen = false
      wake()
    },
    /** Resolves with the first `count` messages once they have arrived. */
    async first(count: number, timeoutMilliseconds = waitOptions.timeout): Promise<T[]> {
      const deadline = Date.now() + timeoutMilliseconds
      while (seen.length < count) {
        const left = deadline - Date.now()
        if (left <= 0 || !isOpen)
          throw new Error(`${seen.length} of ${count} messages arrived: ${JSON.stringify(seen.slice(-5))}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return seen.slice(0, count)
    },
  }
}
