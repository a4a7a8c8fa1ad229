import { GetStatistics, Statistics } from '../../../contract/statistics.ts'
import { statistics } from '../../domain/feedback/statistics.ts'
import { defineRoute } from '../route.ts'

export const statisticsRoutes = [
  defineRoute({
    method: 'get',
    path: '/statistics',
    operationId: 'statistics',
    who: 'member',
    summary:
      'Get statistics of answers, by default of the last 30 days: by day, by app and type, by version, and how long they took.',
    query: GetStatistics,
    responses: { 200: Statistics },
    async handle(service, { actor, query }) {
      return { status: 200, body: await statistics(service, actor, query) }
    },
  }),
]
