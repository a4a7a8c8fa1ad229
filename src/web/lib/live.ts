import type { InboxEvent } from '../../contract/inbox.ts'

export type LiveState = 'connected' | 'reconnecting' | 'polling'

type Live = {
  url: (after: string) => string
  after: string
  onEvent: (event: InboxEvent) => void
  onState: (state: LiveState) => void
  /** Events were missed for good, or what was seen is gone: what is shown must be read again. */
  onStartOver: () => void
  /** The service answered, but not with a stream. */
  onRefused: () => void
  /** Looks at the inbox once. False: that could not be had either. */
  look: () => Promise<boolean>
}

// A short break is no news: the strip appears only when the line has been down this long.
const patienceMilliseconds = 2_000
const longestPauseMilliseconds = 30_000
// A proxy that keeps a stream back answers nothing at all, or a head without a body.
const helloMilliseconds = 10_000
// After so many attempts without a stream the inbox is looked at from time to time, until there is one.
const failuresBeforePolling = 3
const pollMilliseconds = 15_000

/**
 * The inbox's event stream. The browser reconnects after a dropped line by itself and says where it was; after a
 * refused one (a restart behind a proxy, an expired session) it gives up, so that case is taken up again here.
 */
export function followInbox({
  url,
  after,
  onEvent,
  onState,
  onStartOver,
  onRefused,
  look,
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
    warning ??= setTimeout(() => onState('reconnecting'), patienceMilliseconds)
    failures += 1
    if (failures < failuresBeforePolling || polls !== undefined) return
    polls = setInterval(() => void poll(), pollMilliseconds)
    void poll()
  }

  async function poll() {
    if (document.visibilityState !== 'visible') return
    const couldLook = await look()
    // Meanwhile the stream may be back.
    if (polls === undefined) return
    clearTimeout(warning)
    onState(couldLook ? 'polling' : 'reconnecting')
  }

  function openLater() {
    source.close()
    clearTimeout(hello)
    clearTimeout(retry)
    retry = setTimeout(open, Math.min(500 * 2 ** failures, longestPauseMilliseconds))
  }

  function open() {
    source = new EventSource(url(cursor))
    hello = setTimeout(() => {
      failed()
      openLater()
    }, helloMilliseconds)
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

  function whenSeenAgain() {
    if (polls !== undefined) void poll()
  }

  document.addEventListener('visibilitychange', whenSeenAgain)
  open()
  return () => {
    document.removeEventListener('visibilitychange', whenSeenAgain)
    clearTimeout(retry)
    clearTimeout(warning)
    clearTimeout(hello)
    clearInterval(polls)
    polls = undefined
    source.close()
  }
}
