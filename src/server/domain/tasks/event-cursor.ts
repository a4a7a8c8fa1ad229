import type { EventCursor } from '../../storage/events/event-log.ts'
import { invalidRequest } from '../problems.ts'

/** `epoch.transaction.id`: it travels as the id of a server-sent event, so it must be short and free of line breaks. */
export function encodeEventCursor({ epoch, xid, id }: EventCursor): string {
  return `${epoch}.${xid}.${id}`
}

export function decodeEventCursor(text: string): EventCursor {
  const parts = /^(\d{1,9})\.(\d{1,18})\.(\d{1,18})$/.exec(text)
  if (!parts) {
    throw invalidRequest([
      { path: 'Last-Event-ID', message: 'Not an id of this stream. Send the id of the last event you saw.' },
    ])
  }
  return { epoch: Number(parts[1]), xid: parts[2]!, id: parts[3]! }
}
