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
      'Create a policy: who may answer the tasks of an app, a type or both, and how many must. The most specific one applies, to tasks that are sent from now on.',
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
    summary: `To how many tasks of the last ${limits.policyPreviewDays} days a policy would have applied, and how many of them too few people could have answered. Changes nothing.`,
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
      'Set only the share of double reviews of an app and type. Creates a policy for them if there is none, and deletes it with a share of 0 if nothing else is set.',
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
    summary: 'Replace the settings of a policy. Open tasks keep the review they were sent with.',
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
    summary: 'Delete a policy. Open tasks keep the review they were sent with.',
    params,
    responses: { 204: undefined },
    async handle(service, { actor, params }) {
      await deletePolicy(service, actor, params.policyId)
      return { status: 204 }
    },
  }),
]
