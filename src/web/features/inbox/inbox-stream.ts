import type { InboxEvent } from '../../../contract/inbox.ts'

export type LiveState = 'connected' | 'reconnecting' | 'polling'

type StreamOptions = {
  url: (cursor: string) => string
  /** Events after this position in the log are streamed. */
  after: string
  /** `cursor`: the position of the event in the log. */
  onEvent: (event: InboxEvent, cursor: string) => void
  onState: (state: LiveState) => void
  /** Events were lost, or earlier ones were rolled back: reload what is shown. */
  onStartOver: () => void
  /** The service responded, but not with a stream. */
  onRefused: () => void
  /** Fetches the inbox once. Resolves with false if that failed. */
  refresh: () => Promise<boolean>
}

// The page shows "Reconnecting" only after this time, so that brief disconnects are not shown.
const warningDelayMilliseconds = 2_000
const firstBackoffMilliseconds = 1_000
const maxBackoffMilliseconds = 30_000
// A buffering proxy may send nothing at all, or headers without a body.
const helloTimeoutMilliseconds = 10_000
// Longer than two heartbeats of the service. After sleep or a change of network, a connection may
// be lost without an error.
const silenceTimeoutMilliseconds = 40_000
// After this many failed attempts, poll the inbox until a stream connects.
const failuresBeforePolling = 3
const pollMilliseconds = 15_000

/**
 * Subscribes to the inbox event stream and returns an unsubscribe function. EventSource reconnects by
 * itself after a dropped connection. After an error response (proxy restart, expired session) and after
 * a silence, this function reconnects.
 */
export function subscribeToInbox({
  url,
  after,
  onEvent,
  onState,
  onStartOver,
  onRefused,
  refresh,
}: StreamOptions): () => void {
  let source: EventSource
  let cursor = after
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let warningTimer: ReturnType<typeof setTimeout> | undefined
  let silenceTimer: ReturnType<typeof setTimeout> | undefined
  let heardAt = Date.now()
  let pollTimer: ReturnType<typeof setInterval> | undefined

  function handleConnected() {
    failures = 0
    clearTimeout(warningTimer)
    clearInterval(pollTimer)
    warningTimer = undefined
    pollTimer = undefined
    onState('connected')
  }

  function handleFailure() {
    warningTimer ??= setTimeout(() => onState('reconnecting'), warningDelayMilliseconds)
    failures += 1
    if (failures < failuresBeforePolling || pollTimer !== undefined) return
    pollTimer = setInterval(() => void poll(), pollMilliseconds)
    void poll()
  }

  async function poll() {
    if (document.visibilityState !== 'visible') return
    const isReachable = await refresh()
    // The stream may have reconnected in the meantime.
    if (pollTimer === undefined) return
    clearTimeout(warningTimer)
    onState(isReachable ? 'polling' : 'reconnecting')
  }

  function reopenLater() {
    source.close()
    clearTimeout(silenceTimer)
    clearTimeout(retryTimer)
    const backoff = Math.min(firstBackoffMilliseconds * 2 ** (failures - 1), maxBackoffMilliseconds)
    retryTimer = setTimeout(open, backoff)
  }

  function reopenIfSilentFor(milliseconds: number) {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(() => {
      handleFailure()
      reopenLater()
    }, milliseconds)
  }

  function handleMessage() {
    heardAt = Date.now()
    reopenIfSilentFor(silenceTimeoutMilliseconds)
  }

  function open() {
    source = new EventSource(url(cursor))
    reopenIfSilentFor(helloTimeoutMilliseconds)
    for (const name of ['hello', 'inbox', 'start-over', 'heartbeat'])
      source.addEventListener(name, handleMessage)
    source.addEventListener('hello', handleConnected)
    source.addEventListener('inbox', (message) => {
      if (message.lastEventId !== '') cursor = message.lastEventId
      onEvent(JSON.parse(message.data) as InboxEvent, cursor)
    })
    source.addEventListener('start-over', (message) => {
      cursor = message.lastEventId
      onStartOver()
    })
    source.addEventListener('error', () => {
      handleFailure()
      // The source reconnects by itself, perhaps to a proxy that buffers.
      if (source.readyState !== EventSource.CLOSED) return reopenIfSilentFor(helloTimeoutMilliseconds)
      reopenLater()
      onRefused()
    })
  }

  /** Does what overdue timers should have done: timers stop during sleep, and are slow in a hidden tab. */
  function catchUp() {
    if (document.visibilityState !== 'visible') return
    if (pollTimer !== undefined) void poll()
    if (Date.now() - heardAt < silenceTimeoutMilliseconds) return
    // Otherwise the next call would close the new connection immediately.
    heardAt = Date.now()
    handleFailure()
    clearTimeout(retryTimer)
    source.close()
    open()
  }

  document.addEventListener('visibilitychange', catchUp)
  window.addEventListener('online', catchUp)
  open()
  return () => {
    document.removeEventListener('visibilitychange', catchUp)
    window.removeEventListener('online', catchUp)
    clearTimeout(retryTimer)
    clearTimeout(warningTimer)
    clearTimeout(silenceTimer)
    clearInterval(pollTimer)
    pollTimer = undefined
    source.close()
  }
}
