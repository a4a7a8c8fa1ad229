import type { EventCursor } from '../../storage/events/event-log.ts'
import { invalidRequest } from '../problems.ts'

/** The id of a server-sent event: `epoch.transaction.id`. */
export function encodeEventCursor({ epoch, xid, id }: EventCursor): string {
  return `${epoch}.${xid}.${id}`
}

/** A cursor as a client sent it. `path`: the header or parameter that contained it, named in errors. */
export type SentCursor = { text: string; path: 'Last-Event-ID' | 'after' }

export function decodeEventCursor({ text, path }: SentCursor): EventCursor {
  const parts = /^(\d{1,9})\.(\d{1,18})\.(\d{1,18})$/.exec(text)
  if (!parts) {
    throw invalidRequest([
      {
        path,
        message: 'Invalid event id for this stream. Send the id of the last event you received.',
      },
    ])
  }
  return { epoch: Number(parts[1]), xid: parts[2]!, id: parts[3]! }
}
