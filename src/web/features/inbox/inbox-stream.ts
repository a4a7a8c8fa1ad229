import type { InboxEvent } from '../../../contract/inbox.ts'

export type LiveState = 'connected' | 'reconnecting' | 'polling'

type Live = {
  url: (after: string) => string
  after: string
  onEvent: (event: InboxEvent) => void
  onState: (state: LiveState) => void
  /** Events were lost, or earlier ones were rolled back: reload what is shown. */
  onStartOver: () => void
  /** The service responded, but not with a stream. */
  onRefused: () => void
  /** Fetches the inbox once. Resolves with false if that failed too. */
  refresh: () => Promise<boolean>
}

// Brief disconnects are not shown: the strip appears only after this long.
const warningDelayMilliseconds = 2_000
const maxBackoffMilliseconds = 30_000
// A buffering proxy may send nothing at all, or headers without a body.
const helloTimeoutMilliseconds = 10_000
// After this many failed attempts, poll the inbox until a stream connects.
const failuresBeforePolling = 3
const pollMilliseconds = 15_000

/**
 * Subscribes to the inbox event stream and returns an unsubscribe function. EventSource reconnects after a
 * dropped connection, but not after an error response (proxy restart, expired session): that is done here.
 */
export function subscribeToInbox({
  url,
  after,
  onEvent,
  onState,
  onStartOver,
  onRefused,
  refresh,
}: Live): () => void {
  let source: EventSource
  let cursor = after
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let warning: ReturnType<typeof setTimeout> | undefined
  let hello: ReturnType<typeof setTimeout> | undefined
  let polls: ReturnType<typeof setInterval> | undefined

  function connected() {
    failures = 0
    clearTimeout(warning)
    clearTimeout(hello)
    clearInterval(polls)
    warning = undefined
    polls = undefined
    onState('connected')
  }

  function failed() {
    warning ??= setTimeout(() => onState('reconnecting'), warningDelayMilliseconds)
    failures += 1
    if (failures < failuresBeforePolling || polls !== undefined) return
    polls = setInterval(() => void poll(), pollMilliseconds)
    void poll()
  }

  async function poll() {
    if (document.visibilityState !== 'visible') return
    const isReachable = await refresh()
    // The stream may have reconnected in the meantime.
    if (polls === undefined) return
    clearTimeout(warning)
    onState(isReachable ? 'polling' : 'reconnecting')
  }

  function openLater() {
    source.close()
    clearTimeout(hello)
    clearTimeout(retry)
    retry = setTimeout(open, Math.min(500 * 2 ** failures, maxBackoffMilliseconds))
  }

  function open() {
    source = new EventSource(url(cursor))
    hello = setTimeout(() => {
      failed()
      openLater()
    }, helloTimeoutMilliseconds)
    source.addEventListener('hello', connected)
    source.addEventListener('inbox', (message) => {
      if (message.lastEventId !== '') cursor = message.lastEventId
      onEvent(JSON.parse(message.data) as InboxEvent)
    })
    source.addEventListener('start-over', (message) => {
      cursor = message.lastEventId
      onStartOver()
    })
    source.addEventListener('error', () => {
      failed()
      if (source.readyState !== EventSource.CLOSED) return
      openLater()
      onRefused()
    })
  }

  function pollWhenVisible() {
    if (polls !== undefined) void poll()
  }

  document.addEventListener('visibilitychange', pollWhenVisible)
  open()
  return () => {
    document.removeEventListener('visibilitychange', pollWhenVisible)
    clearTimeout(retry)
    clearTimeout(warning)
    clearTimeout(hello)
    clearInterval(polls)
    polls = undefined
    source.close()
  }
}
