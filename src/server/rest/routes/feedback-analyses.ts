import { z } from 'zod'
import {
  AnalysisDetail,
  AnalysisPage,
  AnalysisRun,
  FeedbackAnalysis,
  GetFeedbackAnalysis,
  ListAnalyses,
  StartAnalysis,
} from '../../../contract/feedback-analysis.ts'
import { Empty } from '../../../contract/field.ts'
import { AnalysisId } from '../../../contract/ids.ts'
import { cancelAnalysis, getAnalysis, listAnalyses, startAnalysis } from '../../domain/feedback/analyses.ts'
import { latestAnalysis } from '../../domain/feedback/latest-analysis.ts'
import { defineRoute } from '../route.ts'

export const feedbackAnalysisRoutes = [
  defineRoute({
    method: 'get',
    path: '/feedback-analyses/latest',
    operationId: 'latestFeedbackAnalysis',
    who: 'agent-or-member',
    scope: 'analysis:read',
    summary: 'Get the latest feedback analysis of an app and type, in any state.',
    query: GetFeedbackAnalysis,
    responses: { 200: FeedbackAnalysis },
    async handle(service, { actor, query }) {
      return { status: 200, body: await latestAnalysis(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/feedback-analyses',
    operationId: 'startAnalysis',
    who: 'member',
    summary:
      'Analyze the last 30 days of an app and type. If such an analysis is already queued or running, returns that one. The list shows its progress.',
    body: StartAnalysis,
    responses: { 202: AnalysisRun },
    async handle(service, { actor, body }) {
      return { status: 202, body: await startAnalysis(service, actor, body) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/feedback-analyses',
    operationId: 'analyses',
    who: 'member',
    summary: 'List feedback analyses with their progress, newest first.',
    query: ListAnalyses,
    responses: { 200: AnalysisPage },
    async handle(service, { actor, query }) {
      return { status: 200, body: await listAnalyses(service, actor, query) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/feedback-analyses/{analysisId}',
    operationId: 'analysis',
    who: 'member',
    summary: 'Get a feedback analysis with its findings.',
    params: z.object({ analysisId: AnalysisId }),
    responses: { 200: AnalysisDetail },
    async handle(service, { actor, params }) {
      return { status: 200, body: await getAnalysis(service, actor, params.analysisId) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/feedback-analyses/{analysisId}/cancel',
    operationId: 'cancelAnalysis',
    who: 'member',
    summary: 'Cancel a queued or running analysis. One that has ended does not change.',
    params: z.object({ analysisId: AnalysisId }),
    body: Empty,
    responses: { 200: AnalysisRun },
    async handle(service, { actor, params }) {
      return { status: 200, body: await cancelAnalysis(service, actor, params.analysisId) }
    },
  }),
]
