import { ChangeWorkspace, Workspace } from '../../../contract/workspace.ts'
import { findWorkspace, renameWorkspace } from '../../domain/workspaces/workspace.ts'
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
]
