import { z } from 'zod'
import { printable } from '../../../contract/field.ts'
import { TaskId } from '../../../contract/ids.ts'
import { Claim, Draft, Drafts, ListTimeline, SaveDraft, Timeline } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { ThreadId } from '../../../contract/task.ts'
import { claimTask, releaseTask } from '../../domain/tasks/claim-task.ts'
import { deleteDraft, listDrafts, saveDraft } from '../../domain/tasks/drafts.ts'
import { listTimeline } from '../../domain/tasks/list-timeline.ts'
import { defineRoute } from '../route.ts'

// What people do with a task before they answer it.

const params = z.object({ taskId: TaskId })
const draftParams = z.object({ taskId: TaskId, actionId: printable(limits.actionId) })

export const taskWorkRoutes = [
  defineRoute({
    method: 'post',
    path: '/tasks/{taskId}/claim',
    who: 'member',
    summary:
      'Say that you have the task open, for two minutes. Answers the claim in force, which may be a colleague’s.',
    params,
    body: z.strictObject({}),
    answers: { 200: z.object({ claim: Claim }) },
    async handle(service, { actor, params }) {
      return { status: 200, body: { claim: await claimTask(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/claim',
    who: 'member',
    summary: 'Give up your claim.',
    params,
    answers: { 204: undefined },
    async handle(service, { actor, params }) {
      await releaseTask(service, actor, params.taskId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/tasks/{taskId}/drafts',
    who: 'member',
    summary: 'Your own drafts for a task.',
    params,
    answers: { 200: Drafts },
    async handle(service, { actor, params }) {
      return { status: 200, body: { drafts: await listDrafts(service, actor, params.taskId) } }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/tasks/{taskId}/drafts/{actionId}',
    who: 'member',
    summary: 'Keep what you have filled in so far.',
    params: draftParams,
    body: SaveDraft,
    answers: { 200: Draft },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await saveDraft(service, actor, params.taskId, params.actionId, body.data) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/tasks/{taskId}/drafts/{actionId}',
    who: 'member',
    summary: 'Throw a draft away.',
    params: draftParams,
    answers: { 204: undefined },
    async handle(service, { actor, params }) {
      await deleteDraft(service, actor, params.taskId, params.actionId)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/threads/{threadId}/timeline',
    who: 'member',
    summary: 'Everything that happened in a thread, oldest first.',
    params: z.object({ threadId: ThreadId }),
    query: ListTimeline,
    answers: { 200: Timeline },
    async handle(service, { actor, params, query }) {
      return { status: 200, body: await listTimeline(service, actor, params.threadId, query) }
    },
  }),
]
