import type { TaskDeliveries } from '../contract/delivery.ts'
import type { Claim, Draft, Drafts, SaveDraft, SnoozeTask, TaskSnoozed } from '../contract/inbox.ts'
import type { AddNote, AssignTask } from '../contract/note.ts'
import type { AskQuestion, QuestionAsked } from '../contract/question.ts'
import type { TaskRecord } from '../contract/task.ts'
import type { HandleTask, MarkDone, RejectTask } from '../contract/task-answer.ts'
import { taskPath } from './tasks.ts'
import type { Transport } from './transport.ts'

/**
 * With `keepalive` the request outlives its page. It fails if the bodies of all such requests of the
 * page that are still running exceed 64 KiB together. With `personId` the service refuses the
 * request if someone else has signed in since.
 */
type AnswerCall = { keepalive?: boolean; personId?: string }

/** What people do with one task, and its deliveries. */
export function answerCalls(request: Transport) {
  const draftPath = (taskId: string, actionId: string) =>
    `${taskPath(taskId)}/drafts/${encodeURIComponent(actionId)}`

  return {
    handleTask: (taskId: string, input: HandleTask, call: AnswerCall = {}) =>
      request<TaskRecord>(`${taskPath(taskId)}/handle`, {
        method: 'POST',
        body: input,
        ...requestOptions(call),
      }),
    markDone: (taskId: string, input: MarkDone = {}, call: AnswerCall = {}) =>
      request<TaskRecord>(`${taskPath(taskId)}/mark-done`, {
        method: 'POST',
        body: input,
        ...requestOptions(call),
      }),
    askQuestion: (taskId: string, input: AskQuestion) =>
      request<QuestionAsked>(`${taskPath(taskId)}/questions`, { method: 'POST', body: input }),
    addNote: (taskId: string, input: AddNote) =>
      request<{ noteId: string }>(`${taskPath(taskId)}/notes`, { method: 'POST', body: input }),
    assignTask: (taskId: string, input: AssignTask) =>
      request<TaskRecord>(`${taskPath(taskId)}/assign`, { method: 'POST', body: input }),
    rejectTask: (taskId: string, input: RejectTask, call: AnswerCall = {}) =>
      request<TaskRecord>(`${taskPath(taskId)}/reject`, {
        method: 'POST',
        body: input,
        ...requestOptions(call),
      }),

    deleteContent: (taskId: string) => request<void>(`${taskPath(taskId)}/content`, { method: 'DELETE' }),

    taskDeliveries: (taskId: string, signal?: AbortSignal) =>
      request<TaskDeliveries>(`${taskPath(taskId)}/deliveries`, { signal }),

    claimTask: (taskId: string) => request<{ claim: Claim }>(`${taskPath(taskId)}/claim`, { method: 'POST' }),
    releaseTask: (taskId: string) =>
      request<void>(`${taskPath(taskId)}/claim`, { method: 'DELETE', keepalive: true }),

    snoozeTask: (taskId: string, input: SnoozeTask) =>
      request<TaskSnoozed>(`${taskPath(taskId)}/snooze`, { method: 'PUT', body: input }),
    unsnoozeTask: (taskId: string) => request<void>(`${taskPath(taskId)}/snooze`, { method: 'DELETE' }),

    drafts: (taskId: string, signal?: AbortSignal) =>
      request<Drafts>(`${taskPath(taskId)}/drafts`, { signal }),
    saveDraft: (
      taskId: string,
      actionId: string,
      body: SaveDraft,
      call: Pick<AnswerCall, 'keepalive'> = {},
    ) => request<Draft>(draftPath(taskId, actionId), { method: 'PUT', body, ...call }),
    deleteDraft: (taskId: string, actionId: string) =>
      request<void>(draftPath(taskId, actionId), { method: 'DELETE' }),
  }
}

function requestOptions({ personId, keepalive }: AnswerCall) {
  return {
    ...(keepalive !== undefined && { keepalive }),
    ...(personId !== undefined && { headers: { 'handrail-person': personId } }),
  }
}
