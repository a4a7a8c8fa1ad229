import type { FeedbackAnalysis, GetFeedbackAnalysis } from '../contract/feedback-analysis.ts'
import type {
  CancelTask,
  CreateTask,
  GetTask,
  ListTasks,
  SearchTasks,
  SendUpdate,
  TaskCancelled,
  TaskCreated,
  TaskPage,
  TaskRecord,
  UpdateSent,
} from '../contract/task.ts'
import type { Me } from '../contract/workspace.ts'
import { type ClientOptions, createTransport } from './transport.ts'

export type Client = ReturnType<typeof createClient>

/** The API for agents and programs: one method per route. */
export function createClient(options: ClientOptions) {
  const request = createTransport(options)
  const task = (taskId: string) => `/api/v1/tasks/${encodeURIComponent(taskId)}`

  return {
    me: (signal?: AbortSignal) => request<Me>('/api/v1/me', { signal }),

    createTask: (input: CreateTask, call: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
      request<TaskCreated>('/api/v1/tasks', {
        method: 'POST',
        body: input,
        signal: call.signal,
        ...(call.idempotencyKey && { headers: { 'idempotency-key': call.idempotencyKey } }),
      }),

    getTask: (taskId: string, query: GetTask = {}, signal?: AbortSignal) =>
      request<TaskRecord>(task(taskId), { query, signal }),

    listTasks: (query: ListTasks = {}, signal?: AbortSignal) =>
      request<TaskPage>('/api/v1/tasks', { query, signal }),

    searchTasks: (query: SearchTasks, signal?: AbortSignal) =>
      request<TaskPage>('/api/v1/tasks/search', { query, signal }),

    sendUpdate: (taskId: string, input: SendUpdate, signal?: AbortSignal) =>
      request<UpdateSent>(`${task(taskId)}/updates`, { method: 'POST', body: input, signal }),

    latestFeedbackAnalysis: (query: GetFeedbackAnalysis, signal?: AbortSignal) =>
      request<FeedbackAnalysis>('/api/v1/feedback-analyses/latest', { query, signal }),

    cancelTask: (taskId: string, input: CancelTask = {}, signal?: AbortSignal) =>
      request<TaskCancelled>(`${task(taskId)}/cancel`, { method: 'POST', body: input, signal }),
  }
}
