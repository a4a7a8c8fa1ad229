import { ActionOutcomes, ListActionOutcomes, SetActionOutcome } from '../../../contract/action-outcome.ts'
import { listActionOutcomes, setActionOutcome } from '../../domain/feedback/action-outcomes.ts'
import { defineRoute } from '../route.ts'

export const actionOutcomeRoutes = [
  defineRoute({
    method: 'get',
    path: '/action-outcomes',
    operationId: 'actionOutcomes',
    who: 'member',
    summary: 'List the outcomes that admins set for the actions of an app and type.',
    query: ListActionOutcomes,
    responses: { 200: ActionOutcomes },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listActionOutcomes(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'put',
    path: '/action-outcomes',
    operationId: 'setActionOutcome',
    who: 'member',
    role: 'admin',
    summary:
      'Set whether an action counts as positive, neutral or negative in statistics, analyses and exports if the sender does not declare it; null removes the setting. Applies to earlier answers too.',
    body: SetActionOutcome,
    responses: { 200: ActionOutcomes },
    async handle(service, { actor, body }) {
      return { status: 200, body: await setActionOutcome(service, actor, body) }
    },
  }),
]
