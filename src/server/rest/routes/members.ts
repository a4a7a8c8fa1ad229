import { z } from 'zod'
import { PersonId } from '../../../contract/ids.ts'
import { ChangeMember, Member, Members, RemoveMember } from '../../../contract/workspace.ts'
import { changeMember, endSessions, listMembers, removeMember } from '../../domain/workspaces/members.ts'
import { howToConfirm } from '../confirm.ts'
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
    summary: `Change a member's role. Making someone an owner requires ${howToConfirm}.`,
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
      'Remove someone from the workspace, or leave it. Admins can remove people with the role member; owners can remove anyone. Invitations that the removed person sent are revoked. With erase=true, their email address is erased from the history shortly afterwards.',
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
      'Sign someone out on all devices, and end their other access to this workspace: connected apps, the link to their Slack user, and push messages. Admins can sign out people with the role member; owners can sign out anyone.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await endSessions(service, actor, params.userId)
      return { status: 204 }
    },
  }),
]
