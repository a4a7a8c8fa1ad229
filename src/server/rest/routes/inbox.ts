import { z } from 'zod'
import { optional } from '../../../contract/field.ts'
import { GetInboxToday, InboxFacets, InboxPage, InboxToday, ListInbox } from '../../../contract/inbox.ts'
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
    who: 'member',
    summary:
      'Open tasks in the order to work on them: urgent threads first, then the oldest. With filters by the priority and ' +
      'age of each task, with `q` newest first.',
    query: ListInbox,
    answers: { 200: InboxPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listInbox(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/facets',
    who: 'member',
    summary: 'Apps and types that open tasks have, at most 100 each.',
    answers: { 200: InboxFacets },
    async handle(service, { actor }) {
      return { status: 200, body: await listFacets(service, actor) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/today',
    who: 'member',
    summary: 'How many tasks were answered since a moment, by all and by the person who asks, and how soon.',
    query: GetInboxToday,
    answers: { 200: InboxToday },
    async handle(service, { actor, query }) {
      return { status: 200, body: await inboxToday(service, actor, query.since) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/inbox/events',
    who: 'member',
    summary:
      'What happens in the workspace, live, as server-sent events. Resumes after Last-Event-ID, or after `after`. The event ' +
      '`start-over` means that events in between are no longer stored, or that the database was restored or has failed over: ' +
      'read the inbox again; the stream goes on from there.',
    query: z.strictObject({ after: optional(z.string().max(60)) }),
    answers: { 200: 'event-stream' },
    async handle(service, { actor, query, headers, hold }) {
      const after = headers.get('last-event-id') ?? query.after
      const held = hold()
      const events = watchInbox(service, actor, after, held.signal)
      // The first step checks the cursor, so that a wrong one is an error and not a broken stream.
      await events.next()
      return eventStream(service, 'inbox', events, held)
    },
  }),
]
