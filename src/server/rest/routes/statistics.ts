import { GetStatistics, Statistics } from '../../../contract/statistics.ts'
import { statistics } from '../../domain/feedback/statistics.ts'
import { defineRoute } from '../route.ts'

export const statisticsRoutes = [
  defineRoute({
    method: 'get',
    path: '/statistics',
    who: 'member',
    summary:
      'What people answered in the last 30 days, or in others: by day, by app and type, by version, and how long it took.',
    query: GetStatistics,
    answers: { 200: Statistics },
    async handle(service, { actor, query }) {
      return { status: 200, body: await statistics(service, actor, query) }
    },
  }),
]
