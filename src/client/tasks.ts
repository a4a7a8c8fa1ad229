import type { CreateTask, TaskCreated } from '../contract/create-task.ts'
import type { FeedbackAnalysis, GetFeedbackAnalysis } from '../contract/feedback-analysis.ts'
import type { CancelTask, GetTask, TaskCancelled, TaskRecord } from '../contract/task.ts'
import type { CreateTasks, TasksCreated } from '../contract/task-batch.ts'
import type { ListTasks, SearchTasks, TaskPage } from '../contract/task-list.ts'
import type { SendUpdate, UpdateSent } from '../contract/task-update.ts'
import type { Me } from '../contract/workspace.ts'
import type { Transport } from './transport.ts'

export type TaskCalls = ReturnType<typeof taskCalls>

export const taskPath = (taskId: string) => `/api/v1/tasks/${encodeURIComponent(taskId)}`

/** The key of the task itself comes first, as in a batch. */
export function withKey(input: CreateTask, key: string | undefined): CreateTask {
  const idempotencyKey = input?.idempotencyKey || key
  return idempotencyKey ? { ...input, idempotencyKey } : input
}

/** The API for agents and programs: one method per route. */
export function taskCalls(request: Transport) {
  return {
    me: (signal?: AbortSignal): Promise<Me> => request('/api/v1/me', { signal }),

    createTask: (
      input: CreateTask,
      call: { idempotencyKey?: string; signal?: AbortSignal } = {},
    ): Promise<TaskCreated> =>
      request('/api/v1/tasks', {
        method: 'POST',
        // In the body, because a header cannot carry every character.
        body: withKey(input, call.idempotencyKey),
        signal: call.signal,
      }),

    /** Up to 100 tasks, each with its own result. `sendAll` sends any number. */
    createTasks: (input: CreateTasks, signal?: AbortSignal): Promise<TasksCreated> =>
      request('/api/v1/tasks/batch', { method: 'POST', body: input, signal }),

    getTask: (taskId: string, query: GetTask = {}, signal?: AbortSignal): Promise<TaskRecord> =>
      request(taskPath(taskId), { query, signal }),

    listTasks: (query: ListTasks = {}, signal?: AbortSignal): Promise<TaskPage> =>
      request('/api/v1/tasks', { query, signal }),

    searchTasks: (query: SearchTasks, signal?: AbortSignal): Promise<TaskPage> =>
      request('/api/v1/tasks/search', { query, signal }),

    sendUpdate: (taskId: string, input: SendUpdate, signal?: AbortSignal): Promise<UpdateSent> =>
      request(`${taskPath(taskId)}/updates`, { method: 'POST', body: input, signal }),

    latestFeedbackAnalysis: (query: GetFeedbackAnalysis, signal?: AbortSignal): Promise<FeedbackAnalysis> =>
      request('/api/v1/feedback-analyses/latest', { query, signal }),

    cancelTask: (taskId: string, input: CancelTask = {}, signal?: AbortSignal): Promise<TaskCancelled> =>
      request(`${taskPath(taskId)}/cancel`, { method: 'POST', body: input, signal }),
  }
}
