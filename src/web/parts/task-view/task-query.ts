import { queryOptions } from '@tanstack/react-query'
import type { MemberClient } from '../../../client/member.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'

/** The full task. Live events update it, so it can stay cached for a while. */
export function taskQuery(api: MemberClient, workspaceId: string, taskId: string) {
  return queryOptions({
    queryKey: ['task', workspaceId, taskId],
    queryFn: ({ signal }) => api.openTask(taskId, signal),
    staleTime: 5 * 60_000,
  })
}

/** Adds an update to the cached task, to avoid refetching a large payload for one message. */
export function withUpdate(task: TaskRecord, event: InboxEvent): TaskRecord {
  const { update } = event
  const isKnown = task.updates?.some(
    (existing) => existing.at === event.at && existing.message === update?.message,
  )
  if (!update || isKnown) return task
  const latestUpdate = { updateId: event.eventId, at: event.at, ...update }
  return { ...task, latestUpdate, updates: [...(task.updates ?? []), latestUpdate] }
}
