import type { InboxFacets, InboxPage, InboxToday, ListInbox, Timeline } from '../contract/inbox.ts'
import type { MemberTaskRecord } from '../contract/task.ts'
import type { ListTasksAsMember, MemberTaskPage, SearchTasksAsMember } from '../contract/task-list.ts'
import type { SaveViews, Views } from '../contract/view.ts'
import { taskPath } from './tasks.ts'
import { type ClientOptions, type Transport, urlOf } from './transport.ts'

/** Lists of tasks, saved views, and the details of one task. */
export function inboxCalls(request: Transport, options: ClientOptions) {
  return {
    inbox: (query: ListInbox = {}, signal?: AbortSignal) =>
      request<InboxPage>('/api/v1/inbox', { query, signal }),
    views: (signal?: AbortSignal) => request<Views>('/api/v1/views', { signal }),
    saveViews: (input: SaveViews) => request<Views>('/api/v1/views', { method: 'PUT', body: input }),
    saveSharedViews: (input: SaveViews) =>
      request<Views>('/api/v1/views/shared', { method: 'PUT', body: input }),
    inboxFacets: (signal?: AbortSignal) => request<InboxFacets>('/api/v1/inbox/facets', { signal }),
    inboxToday: (since: string, signal?: AbortSignal) =>
      request<InboxToday>('/api/v1/inbox/today', { query: { since }, signal }),
    // These two replace the methods for agents: people have more filters.
    listTasks: (query: ListTasksAsMember = {}, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks', { query, signal }),
    searchTasks: (query: SearchTasksAsMember, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks/search', { query, signal }),
    /** A task with every part that can be included. */
    taskDetails: (taskId: string, signal?: AbortSignal) =>
      request<MemberTaskRecord>(taskPath(taskId), {
        query: {
          include: [
            'context',
            'actions',
            'updates',
            'sent',
            'revisions',
            'threadTasks',
            'review',
            'notes',
            'snooze',
          ],
        },
        signal,
      }),
    /** For an EventSource, which cannot send headers. */
    inboxEventsUrl: (after: string) =>
      urlOf(options, '/api/v1/inbox/events', { workspace: options.workspaceId, after }),
    timeline: (threadId: string, cursor?: string, signal?: AbortSignal) =>
      request<Timeline>(`/api/v1/threads/${encodeURIComponent(threadId)}/timeline`, {
        query: { limit: 100, cursor },
        signal,
      }),
  }
}
