import { AuditPage, ChangeWorkspace, ListAudit, Workspace } from '../../../contract/workspace.ts'
import { findWorkspace, listAudit, renameWorkspace } from '../../domain/workspaces/workspace.ts'
import { defineRoute } from '../route.ts'

export const workspaceRoutes = [
  defineRoute({
    method: 'get',
    path: '/workspace',
    who: 'member',
    summary: 'The workspace itself.',
    answers: { 200: Workspace },
    async handle(service, { actor }) {
      return { status: 200, body: await findWorkspace(service, actor) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/workspace',
    who: 'member',
    role: 'owner',
    summary: 'Rename the workspace.',
    body: ChangeWorkspace,
    answers: { 200: Workspace },
    async handle(service, { actor, body }) {
      return { status: 200, body: await renameWorkspace(service, actor, body.name) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/audit',
    who: 'member',
    role: 'admin',
    summary: 'Who changed what, when and from where, newest first.',
    query: ListAudit,
    answers: { 200: AuditPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listAudit(service, actor, query) }
    },
  }),
]
