export type JoinedSignal = { signal: AbortSignal; abort: () => void; release: () => void }

/**
 * Aborted with the first of some signals, or by `abort`, until it is released. AbortSignal.any would do, but in Node 20 a
 * signal that lives as long as the process never lets go of what was joined with it.
 */
export function joinSignals(...signals: AbortSignal[]): JoinedSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    abort,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}
