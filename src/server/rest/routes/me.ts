import { Me, type Role } from '../../../contract/workspace.ts'
import { workspacesOfPerson } from '../../domain/workspaces/workspaces-of-person.ts'
import { defineRoute } from '../route.ts'

export const meRoutes = [
  defineRoute({
    method: 'get',
    path: '/me',
    who: 'caller',
    summary: 'Who is asking: the workspace of an API key, or a person and their workspaces.',
    answers: { 200: Me },
    async handle(service, { actor }) {
      if (actor.kind === 'key') {
        const { keyId, name, scopes, workspaceId, workspaceName } = actor.owner
        const body: Me = {
          kind: 'key',
          workspace: { workspaceId, name: workspaceName },
          key: { keyId, name, scopes },
        }
        return { status: 200, body }
      }
      const { id, email, name } = actor.person
      const workspaces = await workspacesOfPerson(service, id)
      const body: Me = {
        kind: 'person',
        person: { userId: id, email, name },
        workspaces: workspaces.map(({ workspaceId, workspaceName, role }) => ({
          workspaceId,
          name: workspaceName,
          role: role as Role,
        })),
      }
      return { status: 200, body }
    },
  }),
]
