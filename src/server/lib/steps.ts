import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Long work that yields wherever it may pause. */
export type Steps<T> = Generator<undefined, T, undefined>

const turnMilliseconds = 20

export function complete<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Gives the event loop a turn about every 20 ms, so that requests do not wait for the whole work. */
export async function completeInTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  let startedAt = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - startedAt < turnMilliseconds) continue
    await yieldToEventLoop()
    signal.throwIfAborted()
    startedAt = performance.now()
  }
}
