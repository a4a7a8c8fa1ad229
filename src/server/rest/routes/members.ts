import { z } from 'zod'
import { PersonId } from '../../../contract/ids.ts'
import { ChangeMember, Member, Members, RemoveMember } from '../../../contract/workspace.ts'
import { changeMember, endSessions, listMembers, removeMember } from '../../domain/workspaces/members.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ userId: PersonId })

export const memberRoutes = [
  defineRoute({
    method: 'get',
    path: '/members',
    operationId: 'members',
    who: 'member',
    summary: 'List the members of the workspace.',
    responses: { 200: Members },
    async handle(service, { actor }) {
      return { status: 200, body: { members: await listMembers(service, actor) } }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/members/{userId}',
    operationId: 'changeMember',
    who: 'member',
    role: 'owner',
    summary:
      "Change a member's role. Making someone an owner requires a code if you have two-factor, else your password.",
    params,
    body: ChangeMember,
    confirms: ({ role }) => role === 'owner',
    responses: { 200: Member },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await changeMember(service, actor, params.userId, body.role) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/members/{userId}',
    operationId: 'removeMember',
    who: 'member',
    role: 'admin',
    summary:
      'Remove a member, or leave. Admins can remove members, owners anyone. Invitations that the member sent are revoked. With erase=true, the email address is removed from the history shortly after.',
    params,
    query: RemoveMember,
    responses: { 204: undefined },
    async handle(service, { actor, params, query }) {
      const { erase, revokeKeys = [] } = query
      await removeMember(service, actor, params.userId, { erase: erase === 'true', revokeKeys })
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/members/{userId}/sessions',
    operationId: 'endSessions',
    who: 'member',
    role: 'admin',
    summary:
      'Sign a member out on all devices and disconnect their apps from this workspace. Admins can do so for members, owners for anyone.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await endSessions(service, actor, params.userId)
      return { status: 204 }
    },
  }),
]
