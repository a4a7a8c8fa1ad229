import type { InboxEvent, InboxPage, InboxRow } from '../../src/contract/inbox.ts'
import { changeInbox } from '../../src/web/features/inbox/change-inbox.ts'
import { emptyInbox } from '../../src/web/features/inbox/inbox-state.ts'

export function row(taskId: string, fields: Partial<InboxRow> = {}): InboxRow {
  return {
    taskId,
    threadId: taskId,
    name: taskId,
    snippet: '',
    app: 'default',
    type: 'question',
    priority: 'normal',
    delivery: 'poll',
    createdAt: '2026-11-15T09:00:00.000Z',
    revision: 1,
    hasDraft: false,
    ...fields,
  }
}

export function page(rows: InboxRow[], nextCursor: string | null = null): InboxPage {
  const byPriority = { urgent: 0, high: 0, normal: 0, low: 0 }
  for (const { priority } of rows) byPriority[priority] += 1
  return {
    rows,
    nextCursor,
    counts: { open: rows.length, byPriority, waiting: 0, hasMore: false },
    snoozed: { taskIds: [], until: null },
    eventCursor: '1.10.10',
  }
}

export function event(
  type: InboxEvent['type'],
  taskId: string,
  fields: Partial<InboxEvent> = {},
): InboxEvent {
  return {
    eventId: `evt_${taskId}`,
    type,
    taskId,
    threadId: taskId,
    at: '2026-11-15T09:01:00.000Z',
    ...fields,
  }
}

/** Position of an event after the page, whose `eventCursor` is 1.10.10. */
export const afterPage = '1.10.11'

export const loaded = (rows: InboxRow[]) => changeInbox(emptyInbox, { kind: 'first-page', page: page(rows) })
export const names = (state: typeof emptyInbox) => state.rows.map(({ taskId }) => taskId)
