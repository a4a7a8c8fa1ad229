import { z } from 'zod'
import { PolicyId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import {
  ChangePolicy,
  CreatePolicy,
  Policies,
  Policy,
  PolicyPreview,
  SetDoubleReviews,
} from '../../../contract/review.ts'
import { changePolicy, createPolicy, deletePolicy, listPolicies } from '../../domain/review/policies.ts'
import { previewPolicy } from '../../domain/review/preview-policy.ts'
import { setDoubleReviews } from '../../domain/review/set-double-reviews.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ policyId: PolicyId })

export const policyRoutes = [
  defineRoute({
    method: 'get',
    path: '/policies',
    operationId: 'policies',
    who: 'member',
    summary: 'List the policies of the workspace.',
    responses: { 200: Policies },
    async handle(service, { actor }) {
      return { status: 200, body: { policies: await listPolicies(service, actor) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/policies',
    operationId: 'createPolicy',
    who: 'member',
    role: 'admin',
    summary:
      'Create a policy: who may answer the tasks of an app, a type or both, how many must agree, who is assigned, and by when people should answer. It applies to tasks that are sent from now on, and its linkOnly also to open tasks, except tasks to which a more specific policy applies.',
    body: CreatePolicy,
    responses: { 201: Policy },
    async handle(service, { actor, body }) {
      return { status: 201, body: await createPolicy(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/policies/preview',
    operationId: 'previewPolicy',
    who: 'member',
    role: 'admin',
    summary: `Count the tasks of the last ${limits.policyPreviewDays} days to which a policy would have applied, and those of them that too few people could have answered. Changes nothing.`,
    body: CreatePolicy,
    responses: { 200: PolicyPreview },
    async handle(service, { actor, body }) {
      return { status: 200, body: await previewPolicy(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/policies/double-reviews',
    operationId: 'setDoubleReviews',
    who: 'member',
    role: 'admin',
    summary:
      'Set only the share of double reviews in the policy of an app and type. Creates the policy if none applies to these tasks. A share above 0 is refused if only a broader policy applies, or if the policy already asks several people. A share of 0 deletes the policy if it has no other use.',
    body: SetDoubleReviews,
    responses: { 204: undefined },
    async handle(service, { actor, body }) {
      await setDoubleReviews(service, actor, body)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/policies/{policyId}',
    operationId: 'changePolicy',
    who: 'member',
    role: 'admin',
    summary:
      'Change settings of a policy. Those left out stay, and null removes one. Open tasks keep the review that they were sent with, but linkOnly also applies to them.',
    params,
    body: ChangePolicy,
    responses: { 200: Policy },
    async handle(service, { actor, params, body }) {
      return { status: 200, body: await changePolicy(service, actor, params.policyId, body) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/policies/{policyId}',
    operationId: 'deletePolicy',
    who: 'member',
    role: 'admin',
    summary:
      'Delete a policy. Open tasks keep the review that they were sent with, but its linkOnly no longer applies to them.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await deletePolicy(service, actor, params.policyId)
      return { status: 204 }
    },
  }),
]
