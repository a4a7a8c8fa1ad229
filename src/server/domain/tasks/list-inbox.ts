import { countsStopAt, type InboxCounts, type InboxPage, type ListInbox } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { priorities } from '../../../contract/task.ts'
import { currentCursor } from '../../storage/event-log.ts'
import { countOpen, type InboxPlace, listInbox as listInboxRows } from '../../storage/inbox.ts'
import type { PersonActor } from '../actor.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Service } from '../service.ts'
import { writeEventCursor } from './event-cursor.ts'
import { presentInboxRow } from './inbox-row.ts'

export async function listInbox(
  { database }: Service,
  actor: PersonActor,
  input: ListInbox,
): Promise<InboxPage> {
  const size = input.limit ?? limits.inboxPageDefault
  const after = input.cursor === undefined ? undefined : readPlace(input.cursor)
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    // Before the rows: an event between the two is told again rather than lost.
    const eventCursor = writeEventCursor(await currentCursor(tx))
    const rows = await listInboxRows(tx, actor.id, after, size + 1)
    const counts = await countOpen(tx, countsStopAt)
    const page = rows.slice(0, size)
    const last = page.at(-1)
    return {
      rows: page.map(presentInboxRow),
      nextCursor:
        rows.length > size && last
          ? writeCursor([
              last.rank,
              last.oldestOpenAt.toISOString(),
              last.threadId,
              last.priority,
              last.createdAt.toISOString(),
              last.id,
            ])
          : null,
      counts: presentCounts(counts),
      eventCursor,
    }
  })
}

function readPlace(cursor: string): InboxPlace {
  const [rank, oldestOpenAt, threadId, priority, createdAt, taskId] = readCursor(cursor, 'ntsnts')
  return { rank, oldestOpenAt, threadId, priority, createdAt, taskId } as InboxPlace
}

function presentCounts(counted: { priority: number; count: number }[]): InboxCounts {
  const byPriority = { urgent: 0, high: 0, normal: 0, low: 0 }
  for (const { priority, count } of counted) byPriority[priorities[priority]!] = Math.min(count, countsStopAt)
  return {
    open: Object.values(byPriority).reduce((sum, count) => sum + count, 0),
    byPriority,
    stopped: counted.some(({ count }) => count > countsStopAt),
  }
}
