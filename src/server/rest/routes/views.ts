import { SaveViews, Views } from '../../../contract/view.ts'
import { getViews, saveSharedViews, saveViews } from '../../domain/tasks/views.ts'
import { defineRoute } from '../route.ts'

export const viewRoutes = [
  defineRoute({
    method: 'get',
    path: '/views',
    operationId: 'views',
    who: 'member',
    summary:
      'List your views (named filters of the inbox) and those of the workspace, each with the number of matching tasks that wait for people.',
    responses: { 200: Views },
    async handle(service, { actor }) {
      return { status: 200, body: await getViews(service, actor) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/views',
    operationId: 'saveViews',
    who: 'member',
    summary: 'Replace your views.',
    body: SaveViews,
    responses: { 200: Views },
    async handle(service, { actor, body }) {
      return { status: 200, body: await saveViews(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/views/shared',
    operationId: 'saveSharedViews',
    who: 'member',
    role: 'admin',
    summary: 'Replace the views of the workspace, which every member sees.',
    body: SaveViews,
    responses: { 200: Views },
    async handle(service, { actor, body }) {
      return { status: 200, body: await saveSharedViews(service, actor, body) }
    },
  }),
]
