import type { InboxEvent } from '../../src/contract/inbox.ts'
import { readEventStream } from './event-stream.ts'
import { createMessageLog } from './message-log.ts'
import type { TestWorkspace } from './service.ts'

/** `name` is the server-sent event's name: `inbox` or `start-over`. */
export type ReadEvent = { name: string; cursor: string; event: InboxEvent }

export type InboxReader = Awaited<ReturnType<typeof openInboxReader>>

type Listener = { url: string; workspaceId: string; cookie: string }

/** Opens a connection to /inbox/events and waits for its hello event. Records later events in order. */
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
  const { add, end, ...events } = createMessageLog<ReadEvent>()
  const ended = (async () => {
    try {
      for await (const { event: name, id, data } of stream)
        if (name !== 'heartbeat') add({ name, cursor: id, event: data as InboxEvent })
    } catch {
      // Closed by close(), or because the service was killed.
    }
    end()
  })()

  return {
    ...events,
    /** Resolves when either side has closed the connection. */
    ended,
    async close(): Promise<void> {
      connection.abort()
      await ended
    },
  }
}

/** The owner of a workspace as a reader at one node. */
export function ownerAt(url: string, { workspaceId, owner }: TestWorkspace): Listener {
  return { url, workspaceId, cookie: owner.cookie }
}

export function eventIds(events: ReadEvent[]): string[] {
  return events.map(({ event }) => event.eventId)
}
