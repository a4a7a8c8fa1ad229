import { FeedbackAnalysis, GetFeedbackAnalysis } from '../../../contract/feedback-analysis.ts'
import { latestAnalysis } from '../../domain/feedback/latest-analysis.ts'
import { defineRoute } from '../route.ts'

export const feedbackAnalysisRoutes = [
  defineRoute({
    method: 'get',
    path: '/feedback-analyses/latest',
    who: 'agent-or-member',
    summary: 'The latest feedback analysis of an app and type.',
    query: GetFeedbackAnalysis,
    answers: { 200: FeedbackAnalysis },
    async handle(service, { actor, query }) {
      return { status: 200, body: await latestAnalysis(service, actor, query) }
    },
  }),
]
