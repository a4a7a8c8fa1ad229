import { z } from 'zod'
import { optional } from '../../../contract/field.ts'
import { GetInboxToday, InboxFacets, InboxPage, InboxToday, ListInbox } from '../../../contract/inbox.ts'
import type { SentCursor } from '../../domain/tasks/event-cursor.ts'
import { inboxToday } from '../../domain/tasks/inbox-today.ts'
import { listFacets } from '../../domain/tasks/list-facets.ts'
import { listInbox } from '../../domain/tasks/list-inbox.ts'
import { watchInbox } from '../../domain/tasks/watch-inbox.ts'
import { eventStream } from '../event-stream.ts'
import { defineRoute } from '../route.ts'

export const inboxRoutes = [
  defineRoute({
    method: 'get',
    path: '/inbox',
    operationId: 'inbox',
    who: 'member',
    summary:
      'List open tasks by the priority and age of their threads; with filters, by the priority and age of each task. ' +
      'Tasks that wait for the agent come last. With `q`, all tasks are listed newest first.',
    query: ListInbox,
    responses: { 200: InboxPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listInbox(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/facets',
    operationId: 'inboxFacets',
    who: 'member',
    summary: 'List the apps and types of open tasks and the members who have answered, at most 100 each.',
    responses: { 200: InboxFacets },
    async handle(service, { actor }) {
      return { status: 200, body: await listFacets(service, actor) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/today',
    operationId: 'inboxToday',
    who: 'member',
    summary:
      'Count answers, by everyone and by you, and new tasks since a time, and find the open tasks that are late or due soon.',
    query: GetInboxToday,
    responses: { 200: InboxToday },
    async handle(service, { actor, query }) {
      return { status: 200, body: await inboxToday(service, actor, query.since) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/events',
    operationId: 'inboxEvents',
    who: 'member',
    summary:
      'Stream the events of the workspace as server-sent events, without those of tasks that a rule answered. Resumes ' +
      'after Last-Event-ID, or after `after`. The event `start-over` means that events in between are no longer stored, or ' +
      'that the database was restored or has failed over: read the inbox again; the stream continues from there. The event ' +
      '`heartbeat` is sent after 15 seconds without other events.',
    query: z.strictObject({ after: optional(z.string().max(60)) }),
    responses: { 200: 'event-stream' },
    async handle(service, { actor, query, headers, hold }) {
      const after = sentCursor(headers.get('last-event-id'), query.after)
      const held = hold()
      const events = watchInbox(service, actor, after, held.signal)
      // The first step checks the cursor, so that an invalid one gets an error response instead of
      // a broken stream.
      await events.next()
      return eventStream(service, 'inbox', events, held)
    },
  }),
]

function sentCursor(lastEventId: string | null, after: string | undefined): SentCursor | undefined {
  if (lastEventId !== null) return { text: lastEventId, path: 'Last-Event-ID' }
  return after === undefined ? undefined : { text: after, path: 'after' }
}
