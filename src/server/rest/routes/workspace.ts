import {
  ChangeWorkspace,
  PreviewRetention,
  RetentionPreview,
  Workspace,
} from '../../../contract/workspace.ts'
import { changeWorkspace, findWorkspace, previewRetention } from '../../domain/workspaces/workspace.ts'
import { howToConfirm } from '../confirm.ts'
import { defineRoute } from '../route.ts'

export const workspaceRoutes = [
  defineRoute({
    method: 'get',
    path: '/workspace',
    operationId: 'workspace',
    who: 'member',
    summary: 'Get the workspace with its settings.',
    responses: { 200: Workspace },
    async handle(service, { actor }) {
      return { status: 200, body: await findWorkspace(service, actor) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/workspace',
    operationId: 'changeWorkspace',
    who: 'member',
    role: 'owner',
    summary: `Rename the workspace, set for how many days the content of ended tasks is kept (null: until someone deletes it), or change its security settings. Setting a retention period, or no longer requiring two-factor, requires ${howToConfirm}.`,
    body: ChangeWorkspace,
    confirms: ({ requiresTwoFactor, retentionDays }) =>
      requiresTwoFactor === false || typeof retentionDays === 'number',
    responses: { 200: Workspace },
    async handle(service, { actor, body }) {
      return { status: 200, body: await changeWorkspace(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/workspace/retention-preview',
    operationId: 'previewRetention',
    who: 'member',
    role: 'owner',
    summary: 'Count the tasks that would lose their content immediately with this retention period.',
    query: PreviewRetention,
    responses: { 200: RetentionPreview },
    async handle(service, { actor, query }) {
      return { status: 200, body: await previewRetention(service, actor, query.days) }
    },
  }),
]
