import { z } from 'zod'
import { CreateTask, TaskCreated } from '../../../contract/create-task.ts'
import { TaskId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { AddNote, AssignTask, NoteAdded } from '../../../contract/note.ts'
import { AskQuestion, QuestionAsked } from '../../../contract/question.ts'
import {
  CancelTask,
  GetTask,
  GetTaskAsMember,
  MemberTaskRecord,
  TaskCancelled,
  TaskRecord,
} from '../../../contract/task.ts'
import { HandleTask, MarkDone, RejectTask } from '../../../contract/task-answer.ts'
import {
  ListTasks,
  ListTasksAsMember,
  MemberTaskPage,
  SearchTasks,
  SearchTasksAsMember,
} from '../../../contract/task-list.ts'
import { SendUpdate, UpdateSent } from '../../../contract/task-update.ts'
import { parseTrace } from '../../../contract/trace.ts'
import { zodViolations } from '../../../contract/zod-violations.ts'
import { invalidRequest } from '../../domain/problems.ts'
import { addNote } from '../../domain/tasks/add-note.ts'
import { askQuestion } from '../../domain/tasks/ask-question.ts'
import { assignTask } from '../../domain/tasks/assign-task.ts'
import { cancelTask } from '../../domain/tasks/cancel-task.ts'
import { createTask } from '../../domain/tasks/create-task.ts'
import { deleteContent } from '../../domain/tasks/delete-content.ts'
import { getTask } from '../../domain/tasks/get-task.ts'
import { handleTask, markDone, rejectTask } from '../../domain/tasks/handle-task.ts'
import { listTasks, searchTasks } from '../../domain/tasks/list-tasks.ts'
import { sendUpdate } from '../../domain/tasks/send-update.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ taskId: TaskId })

export const taskRoutes = [
  defineRoute({
    method: 'post',
    path: '/tasks',
    operationId: 'createTask',
    who: 'agent-or-member',
    scope: 'tasks',
    summary:
      'Create a task. With an Idempotency-Key, repeating the call returns the same task with status 200.',
    body: CreateTask,
    idempotent: true,
    responses: { 201: TaskCreated, 200: TaskCreated },
    async handle(service, { actor, body, headers, isInternal }) {
      const { created, replayed } = await createTask(service, actor, body, {
        sessionId: mcpSessionOf(headers, isInternal),
        trace: parseTrace(headers.get('traceparent'), headers.get('tracestate')),
      })
      return createdOnce(created, replayed)
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks',
    operationId: 'listTasks',
    who: 'agent-or-member',
    scope: 'tasks:read',
    summary: 'List tasks, newest first. People may also filter by how a task was handled, and sort by when.',
    query: ListTasksAsMember,
    responses: { 200: MemberTaskPage },
    async handle(service, { actor, query }) {
      if (actor.kind === 'key') requireValidForKeys(ListTasks, query)
      return { status: 200, body: await listTasks(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/search',
    operationId: 'searchTasks',
    who: 'agent-or-member',
    scope: 'tasks:read',
    summary:
      'Search tasks by words in type, name and description, of which the last may be incomplete, or by an exact task id. People may also filter by how a task was handled.',
    query: SearchTasksAsMember,
    responses: { 200: MemberTaskPage },
    async handle(service, { actor, query }) {
      if (actor.kind === 'key') requireValidForKeys(SearchTasks, query)
      return { status: 200, body: await searchTasks(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/{taskId}',
    operationId: 'getTask',
    who: 'agent-or-member',
    scope: 'tasks:read',
    summary: `Read a task. With waitSeconds, the response is held until the task is no longer open, has a question without a reply, or the time is up. A number above ${limits.waitSeconds} counts as ${limits.waitSeconds}.`,
    params,
    query: GetTaskAsMember,
    responses: { 200: MemberTaskRecord },
    async handle(service, { actor, params, query, hold }) {
      if (actor.kind === 'key') requireValidForKeys(GetTask, query)
      const held = query.waitSeconds ? hold() : undefined
      const task = await getTask(service, actor, params.taskId, query, held?.signal)
      await held?.reauthenticate()
      return { status: 200, body: task }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/updates',
    operationId: 'sendUpdate',
    who: 'agent-or-member',
    scope: 'tasks',
    summary:
      'Send a status update to the people who view an open task, reply to a question, or revise the task. Only the API key, connected app or member that created the task may reply and revise.',
    params,
    body: SendUpdate,
    idempotent: true,
    responses: { 201: UpdateSent, 200: UpdateSent },
    async handle(service, { actor, params, body }) {
      const { sent, replayed } = await sendUpdate(service, actor, params.taskId, body)
      return createdOnce(sent, replayed)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/questions',
    operationId: 'askQuestion',
    who: 'member',
    summary: 'Ask the agent a question, or request changes, instead of answering. The task stays open.',
    params,
    body: AskQuestion,
    idempotent: true,
    responses: { 201: QuestionAsked, 200: QuestionAsked },
    async handle(service, { actor, params, body }) {
      const { asked, replayed } = await askQuestion(service, actor, params.taskId, body)
      return createdOnce(asked, replayed)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/notes',
    operationId: 'addNote',
    who: 'member',
    summary: 'Write a note about a task for colleagues. Agents never see it.',
    params,
    body: AddNote,
    idempotent: true,
    responses: { 201: NoteAdded, 200: NoteAdded },
    async handle(service, { actor, params, body }) {
      const { noteId, replayed } = await addNote(service, actor, params.taskId, body)
      return createdOnce({ noteId }, replayed)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/assign',
    operationId: 'assignTask',
    who: 'member',
    summary: 'Assign an open task to a member or a group, or unassign it.',
    params,
    body: AssignTask,
    idempotent: true,
    responses: { 200: TaskRecord },
    async handle(service, { actor, params, body }) {
      const { task, replayed } = await assignTask(service, actor, params.taskId, body)
      return { status: 200, body: task, ...(replayed && { headers: replayedHeader }) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/cancel',
    operationId: 'cancelTask',
    who: 'agent-or-member',
    scope: 'tasks',
    summary: 'Cancel an open task: it leaves the inbox.',
    params,
    body: CancelTask,
    responses: { 200: TaskCancelled },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await cancelTask(service, actor, params.taskId, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/handle',
    operationId: 'handleTask',
    who: 'member',
    summary:
      "Answer a task with one of the sender's actions. If several people must agree, it may stay open.",
    params,
    body: HandleTask,
    responses: { 200: TaskRecord },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await handleTask(service, actor, params.taskId, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/mark-done',
    operationId: 'markDone',
    who: 'member',
    summary: "Mark a task done without one of the sender's actions. The agent receives service:mark-done.",
    params,
    body: MarkDone,
    responses: { 200: TaskRecord },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await markDone(service, actor, params.taskId, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/reject',
    operationId: 'rejectTask',
    who: 'member',
    summary: 'Reject a task with feedback. The agent receives service:reject-request.',
    params,
    body: RejectTask,
    responses: { 200: TaskRecord },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await rejectTask(service, actor, params.taskId, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/content',
    operationId: 'deleteContent',
    who: 'member',
    role: 'admin',
    summary:
      'Delete the content and the answer of an ended task. Ids, times, who answered and counts stay. Pending deliveries of its content are marked as failed.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await deleteContent(service, actor, params.taskId)
      return { status: 204 }
    },
  }),
]

const replayedHeader = { 'idempotency-replayed': 'true' }

/** 201, or 200 if the call repeats an earlier one with the same key. */
function createdOnce<Body>(body: Body, replayed: boolean) {
  return replayed ? { status: 200 as const, body, headers: replayedHeader } : { status: 201 as const, body }
}

/** Only the MCP entry point may set the MCP session to which the answer of a task is pushed. */
function mcpSessionOf(headers: Headers, isInternal: boolean): string | undefined {
  const sessionId = headers.get('handrail-session')
  return isInternal && sessionId !== null && /^[\w-]{1,64}$/.test(sessionId) ? sessionId : undefined
}

/** Refuses parameters that only people may send. */
function requireValidForKeys(forKeys: z.ZodType, query: object): void {
  const provided = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const result = forKeys.safeParse(provided)
  if (!result.success) throw invalidRequest(zodViolations(result.error, forKeys, provided))
}
