/** Long work that yields wherever it may pause. */
export type Slices<T> = Generator<undefined, T, undefined>

const turnMilliseconds = 20

/**
 * Yields to the event loop. Splits work on a large body into parts of a few milliseconds, so that no
 * request blocks the others.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * Returns a function to await between two parts of long work. It yields to the event loop about every
 * 20 ms, so that requests do not wait for the whole work.
 */
export function createTurns(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < turnMilliseconds) return
    await nextTurn()
    startedAt = performance.now()
  }
}

export function complete<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

export async function completeInTurns<T>(slices: Slices<T>, signal?: AbortSignal): Promise<T> {
  const turnIfDue = createTurns()
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    await turnIfDue()
    signal?.throwIfAborted()
  }
}
