/**
 * A mutex within this process: callers enter one at a time, in the order of their calls, and at
 * most `maxWaiting` wait.
 */
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

  /**
   * Returns the function by which the caller leaves. Undefined if too many callers are waiting.
   * Rejects if the signal aborts before the caller has entered.
   */
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
