/** Long work as a generator, which yields wherever the work may pause. */
export type Slices<T> = Generator<undefined, T, undefined>

const turnMilliseconds = 20

/** Yields to the event loop once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * Returns a function to await between two parts of long work. It yields to the event loop about
 * every 20 ms, so that requests do not wait for the whole work.
 */
export function createTurns(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < turnMilliseconds) return
    await nextTurn()
    startedAt = performance.now()
  }
}

/** Completes the work without yielding to the event loop. */
export function complete<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** Completes the work, yielding to the event loop about every 20 ms. Rejects when the signal aborts. */
export async function completeInTurns<T>(slices: Slices<T>, signal?: AbortSignal): Promise<T> {
  const turnIfDue = createTurns()
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
    await turnIfDue()
    signal?.throwIfAborted()
  }
}
