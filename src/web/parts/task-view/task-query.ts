import { queryOptions } from '@tanstack/react-query'
import type { MemberClient } from '../../../client/member.ts'
import type { InboxEvent } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberTaskRecord, TaskRecord } from '../../../contract/task.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { changesWaitingFor, createsTask } from '../../lib/event-kinds.ts'
import { priorityLabels } from '../../ui/priority-mark.tsx'

/** The full task. Live events update it, so it can stay cached for a while. */
export function taskQuery(api: MemberClient, workspaceId: string, taskId: string) {
  return queryOptions({
    queryKey: ['task', workspaceId, taskId],
    queryFn: ({ signal }) => api.taskDetails(taskId, signal),
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

/**
 * Whether the event changes the links of this cached task to the tasks of its thread that wait for
 * people. 'apply': `withThreadTask` can make the change. 'reload': only the service knows which task moves up
 * when a task leaves a full list of links, and where a task that returns to people belongs in it.
 */
export function linkChange(cached: unknown, event: InboxEvent): 'none' | 'apply' | 'reload' {
  const task = cached as MemberTaskRecord | undefined
  const isChange = createsTask(event) || changesWaitingFor(event)
  if (!isChange || task?.threadId !== event.threadId || task.taskId === event.taskId) return 'none'
  if (createsTask(event)) return 'apply'
  const isFull = task.threadTasks?.length === limits.threadTasks
  return event.row || isFull ? 'reload' : 'apply'
}

/**
 * Adds a created task to the links, as the last of its priority, or removes a task that no longer
 * waits for people.
 */
export function withThreadTask(task: MemberTaskRecord, { taskId, row }: InboxEvent): MemberTaskRecord {
  const others = (task.threadTasks ?? []).filter((other) => other.taskId !== taskId)
  if (!row) return { ...task, threadTasks: others }
  const { name, priority } = row
  const before = others.filter((other) => priorityIndex(other.priority) <= priorityIndex(priority))
  const all = [...before, { taskId, name, priority }, ...others.slice(before.length)]
  return { ...task, threadTasks: all.slice(0, limits.threadTasks) }
}

/** 0 for the highest priority. */
function priorityIndex(priority: Priority): number {
  return Object.keys(priorityLabels).indexOf(priority)
}
