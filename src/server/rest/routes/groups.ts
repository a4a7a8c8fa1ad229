import { z } from 'zod'
import { GroupId } from '../../../contract/ids.ts'
import { ChangeGroup, CreateGroup, Group, Groups } from '../../../contract/review.ts'
import { changeGroup, createGroup, deleteGroup, listGroups } from '../../domain/review/groups.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ groupId: GroupId })

export const groupRoutes = [
  defineRoute({
    method: 'get',
    path: '/groups',
    operationId: 'groups',
    who: 'member',
    summary: 'List the groups of the workspace.',
    responses: { 200: Groups },
    async handle(service, { actor }) {
      return { status: 200, body: { groups: await listGroups(service, actor) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/groups',
    operationId: 'createGroup',
    who: 'member',
    role: 'admin',
    summary: 'Create a group. Reviews and policies refer to it as group:<slug>.',
    body: CreateGroup,
    responses: { 201: Group },
    async handle(service, { actor, body }) {
      return { status: 201, body: await createGroup(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/groups/{groupId}',
    operationId: 'changeGroup',
    who: 'member',
    role: 'admin',
    summary: 'Rename a group, or replace its members, which also changes who may answer open tasks.',
    params,
    body: ChangeGroup,
    responses: { 200: Group },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await changeGroup(service, actor, params.groupId, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/groups/{groupId}',
    operationId: 'deleteGroup',
    who: 'member',
    role: 'admin',
    summary:
      'Delete a group that no policy uses. Open tasks that only it may answer can then be answered by admins.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await deleteGroup(service, actor, params.groupId)
      return { status: 204 }
    },
  }),
]
