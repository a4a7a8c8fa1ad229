/** A mutex of this process: callers enter one at a time, in the order in which they came, and at most `maxWaiting` wait. */
export function createMutex(maxWaiting: number) {
  let isBusy = false
  const waiting = new Set<() => void>()

  function leave(): void {
    const [next] = waiting
    isBusy = next !== undefined
    if (!next) return
    waiting.delete(next)
    next()
  }

  /** Returns a function that lets the next one start. Undefined if too many are waiting. Rejects when the signal aborts. */
  return async function enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    signal.throwIfAborted()
    if (isBusy) {
      if (waiting.size >= maxWaiting) return undefined
      await waitForTurn(signal)
    }
    isBusy = true
    return leave
  }

  function waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(start)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.add(start)
    })
  }
}
