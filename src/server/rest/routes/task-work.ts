import { z } from 'zod'
import { Empty, printable } from '../../../contract/field.ts'
import { TaskId } from '../../../contract/ids.ts'
import {
  Draft,
  Drafts,
  ListTimeline,
  SaveDraft,
  SnoozeTask,
  TaskClaimed,
  TaskSnoozed,
  Timeline,
} from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { ThreadId } from '../../../contract/task-fields.ts'
import { claimTask, releaseTask } from '../../domain/tasks/claim-task.ts'
import { deleteDraft, listDrafts, saveDraft } from '../../domain/tasks/drafts.ts'
import { listTimeline } from '../../domain/tasks/list-timeline.ts'
import { snoozeTask, unsnoozeTask } from '../../domain/tasks/snooze-task.ts'
import { defineRoute } from '../route.ts'

// Routes for working on a task before it is answered, and for reading its thread.

const params = z.object({ taskId: TaskId })
const draftParams = z.object({ taskId: TaskId, actionId: printable(limits.actionId) })

export const taskWorkRoutes = [
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/claim',
    operationId: 'claimTask',
    who: 'member',
    summary: `Claim an open task for ${limits.claimSeconds} seconds, so that others see that you are working on it. Returns the current claim, which may be another member's.`,
    params,
    body: Empty,
    responses: { 200: TaskClaimed },
    async handle(service, { actor, params }) {
      return { status: 200, body: { claim: await claimTask(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/claim',
    operationId: 'releaseTask',
    who: 'member',
    summary: 'Release your claim of a task.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await releaseTask(service, actor, params.taskId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/tasks/{taskId}/snooze',
    operationId: 'snoozeTask',
    who: 'member',
    summary:
      'Hide an open task from your inbox until a time, or until something happens to it. Nothing changes for others.',
    params,
    body: SnoozeTask,
    responses: { 200: TaskSnoozed },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await snoozeTask(service, actor, params.taskId, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/snooze',
    operationId: 'unsnoozeTask',
    who: 'member',
    summary: 'End your snooze of a task.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await unsnoozeTask(service, actor, params.taskId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/{taskId}/drafts',
    operationId: 'drafts',
    who: 'member',
    summary: 'List your drafts for a task.',
    params,
    responses: { 200: Drafts },
    async handle(service, { actor, params }) {
      return { status: 200, body: { drafts: await listDrafts(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/tasks/{taskId}/drafts/{actionId}',
    operationId: 'saveDraft',
    who: 'member',
    summary: 'Save a draft of your answer with an action.',
    params: draftParams,
    body: SaveDraft,
    responses: { 200: Draft },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await saveDraft(service, actor, params.taskId, params.actionId, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/drafts/{actionId}',
    operationId: 'deleteDraft',
    who: 'member',
    summary: 'Delete your draft for an action.',
    params: draftParams,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await deleteDraft(service, actor, params.taskId, params.actionId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/threads/{threadId}/timeline',
    operationId: 'timeline',
    who: 'member',
    summary: 'List what happened in a thread, such as updates, questions, notes and answers, oldest first.',
    params: z.object({ threadId: ThreadId }),
    query: ListTimeline,
    responses: { 200: Timeline },
    async handle(service, { actor, params, query }) {
      return { status: 200, body: await listTimeline(service, actor, params.threadId, query) }
    },
  }),
]
