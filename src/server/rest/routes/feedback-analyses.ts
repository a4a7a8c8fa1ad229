import { z } from 'zod'
import {
  AnalysisPage,
  AnalysisRun,
  FeedbackAnalysis,
  GetFeedbackAnalysis,
  ListAnalyses,
  StartAnalysis,
} from '../../../contract/feedback-analysis.ts'
import { AnalysisId } from '../../../contract/ids.ts'
import { cancelAnalysis, listAnalyses, startAnalysis } from '../../domain/feedback/analyses.ts'
import { latestAnalysis } from '../../domain/feedback/latest-analysis.ts'
import { defineRoute } from '../route.ts'

export const feedbackAnalysisRoutes = [
  defineRoute({
    method: 'get',
    path: '/feedback-analyses/latest',
    who: 'agent-or-member',
    scope: 'analysis:read',
    summary: 'The latest feedback analysis of an app and type.',
    query: GetFeedbackAnalysis,
    answers: { 200: FeedbackAnalysis },
    async handle(service, { actor, query }) {
      return { status: 200, body: await latestAnalysis(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/feedback-analyses',
    who: 'member',
    summary:
      'Analyse the last 30 days of an app and type. While one is under way, that one is the answer: ask the list how it goes.',
    body: StartAnalysis,
    answers: { 202: AnalysisRun },
    async handle(service, { actor, body }) {
      return { status: 202, body: await startAnalysis(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/feedback-analyses',
    who: 'member',
    summary: 'All feedback analyses, newest first, with how far they are.',
    query: ListAnalyses,
    answers: { 200: AnalysisPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listAnalyses(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/feedback-analyses/{analysisId}/cancel',
    who: 'member',
    summary: 'End an analysis that is waiting or under way. One that has ended stays as it is.',
    params: z.object({ analysisId: AnalysisId }),
    body: z.strictObject({}),
    answers: { 200: AnalysisRun },
    async handle(service, { actor, params }) {
      return { status: 200, body: await cancelAnalysis(service, actor, params.analysisId) }
    },
  }),
]
