export type JoinedSignal = { signal: AbortSignal; abort: () => void; release: () => void }

/**
 * Returns a signal that aborts with the first of these signals, until `release`, or by `abort`.
 * AbortSignal.any leaks in Node 20: a signal that lives as long as the process keeps references to
 * everything joined with it.
 */
export function joinSignals(...signals: AbortSignal[]): JoinedSignal {
  const controller = new AbortController()
  const listeners = signals.map((signal) => ({ signal, abort: () => controller.abort(signal.reason) }))
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  }
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release() {
      for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort)
    },
  }
}
