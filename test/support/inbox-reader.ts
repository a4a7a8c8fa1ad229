import type { InboxEvent } from '../../src/contract/inbox.ts'
import { readEventStream } from './event-stream.ts'

export type ReadEvent = { cursor: string; event: InboxEvent }

export type InboxReader = Awaited<ReturnType<typeof openInboxReader>>

type Listener = { url: string; workspaceId: string; cookie: string }

/** One connection to /inbox/events, from the moment the service has said hello. Keeps what came, in order. */
export async function openInboxReader(
  { url, workspaceId, cookie }: Listener,
  { lastEventId, after }: { lastEventId?: string; after?: string } = {},
) {
  const connection = new AbortController()
  const search = new URLSearchParams({ workspace: workspaceId, ...(after !== undefined && { after }) })
  const response = await fetch(`${url}/api/v1/inbox/events?${search}`, {
    headers: { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: connection.signal,
  })
  if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`)
  const stream = readEventStream(response)
  await stream.next()
  const seen: ReadEvent[] = []
  let tell = () => {}
  let open = true
  const ended = (async () => {
    try {
      for await (const { id, data } of stream) {
        seen.push({ cursor: id, event: data as InboxEvent })
        tell()
      }
    } catch {
      // Cut: by close(), or because the service died.
    }
    open = false
    tell()
  })()

  return {
    seen,
    /** Resolves when the connection is over, whoever ended it. */
    ended,
    isOpen: () => open,
    /** The first `count` events, as soon as they are there. */
    async first(count: number, patienceMilliseconds = 20_000): Promise<ReadEvent[]> {
      const end = Date.now() + patienceMilliseconds
      while (seen.length < count) {
        const left = end - Date.now()
        if (left <= 0 || !open)
          throw new Error(`${seen.length} of ${count} events came: ${JSON.stringify(seen.slice(-5))}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          tell = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return seen.slice(0, count)
    },
    async close(): Promise<void> {
      connection.abort()
      await ended
    },
  }
}
