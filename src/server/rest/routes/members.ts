import { z } from 'zod'
import { PersonId } from '../../../contract/ids.ts'
import { ChangeMember, Member, Members, RemoveMember } from '../../../contract/workspace.ts'
import { changeMember, listMembers, removeMember } from '../../domain/workspaces/members.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ userId: PersonId })

export const memberRoutes = [
  defineRoute({
    method: 'get',
    path: '/members',
    who: 'member',
    summary: 'The people of the workspace.',
    answers: { 200: Members },
    async handle(service, { actor }) {
      return { status: 200, body: { members: await listMembers(service, actor) } }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/members/{userId}',
    who: 'member',
    role: 'owner',
    summary: "Change a member's role.",
    params,
    body: ChangeMember,
    answers: { 200: Member },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await changeMember(service, actor, params.userId, body.role) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/members/{userId}',
    who: 'member',
    role: 'admin',
    summary:
      'Remove a member, or leave. Admins remove members, owners anyone. Invitations that the member sent end. With erase=true the e-mail address goes out of the history within moments.',
    params,
    query: RemoveMember,
    answers: { 204: undefined },
    async handle(service, { actor, params, query }) {
      const { erase, revokeKeys = [] } = query
      await removeMember(service, actor, params.userId, { erase: erase === 'true', revokeKeys })
      return { status: 204 }
    },
  }),
]
