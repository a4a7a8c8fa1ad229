import type { InboxFacets, InboxPage, InboxToday, ListInbox, Timeline } from '../contract/inbox.ts'
import type { MemberTaskRecord } from '../contract/task.ts'
import type { ListTasksAsMember, MemberTaskPage, SearchTasksAsMember } from '../contract/task-list.ts'
import type { SaveViews, Views } from '../contract/view.ts'
import { taskPath } from './tasks.ts'
import type { ClientOptions, Transport } from './transport.ts'

/** Lists of tasks, views of them, and an open task. */
export function inboxCalls(request: Transport, { baseUrl, workspaceId }: ClientOptions) {
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
    /** People have more filters than agents. */
    listTasks: (query: ListTasksAsMember = {}, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks', { query, signal }),
    searchTasks: (query: SearchTasksAsMember, signal?: AbortSignal) =>
      request<MemberTaskPage>('/api/v1/tasks/search', { query, signal }),
    /** A task with all its details. */
    openTask: (taskId: string, signal?: AbortSignal) =>
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
      `${baseUrl}/api/v1/inbox/events?${new URLSearchParams({ workspace: workspaceId ?? '', after })}`,
    timeline: (threadId: string, cursor?: string, signal?: AbortSignal) =>
      request<Timeline>(`/api/v1/threads/${encodeURIComponent(threadId)}/timeline`, {
        query: { limit: 100, cursor },
        signal,
      }),
  }
}
