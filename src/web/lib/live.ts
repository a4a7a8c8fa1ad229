import type { InboxEvent } from '../../contract/inbox.ts'

export type LiveState = 'connected' | 'reconnecting'

type Live = {
  url: (after: string) => string
  after: string
  onEvent: (event: InboxEvent) => void
  onState: (state: LiveState) => void
  /** The service answered, but not with a stream. */
  onRefused: () => void
}

// A short break is no news: the strip appears only when the line has been down this long.
const patienceMilliseconds = 2_000
const longestPauseMilliseconds = 30_000

/**
 * The inbox's event stream. The browser reconnects after a dropped line by itself and says where it was; after a
 * refused one (a restart behind a proxy, an expired session) it gives up, so that case is taken up again here.
 */
export function followInbox({ url, after, onEvent, onState, onRefused }: Live): () => void {
  let source: EventSource
  let cursor = after
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let warning: ReturnType<typeof setTimeout> | undefined

  function connected() {
    failures = 0
    clearTimeout(warning)
    warning = undefined
    onState('connected')
  }

  function open() {
    source = new EventSource(url(cursor))
    source.addEventListener('open', connected)
    source.addEventListener('inbox', (message) => {
      if (message.lastEventId !== '') cursor = message.lastEventId
      onEvent(JSON.parse(message.data) as InboxEvent)
    })
    source.addEventListener('error', () => {
      warning ??= setTimeout(() => onState('reconnecting'), patienceMilliseconds)
      if (source.readyState !== EventSource.CLOSED) return
      source.close()
      clearTimeout(retry)
      retry = setTimeout(open, Math.min(1_000 * 2 ** failures, longestPauseMilliseconds))
      failures += 1
      onRefused()
    })
  }

  open()
  return () => {
    clearTimeout(retry)
    clearTimeout(warning)
    source.close()
  }
}
