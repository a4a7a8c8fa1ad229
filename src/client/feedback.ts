import type { ActionOutcomes, ListActionOutcomes, SetActionOutcome } from '../contract/action-outcome.ts'
import type { ExportTasks } from '../contract/export.ts'
import type {
  AnalysisDetail,
  AnalysisPage,
  AnalysisRun,
  ListAnalyses,
  StartAnalysis,
} from '../contract/feedback-analysis.ts'
import type { GetStatistics, Statistics } from '../contract/statistics.ts'
import { type ClientOptions, type Transport, urlOf } from './transport.ts'

/** Statistics, outcomes of actions, analyses and exports of answers. */
export function feedbackCalls(request: Transport, options: ClientOptions) {
  return {
    statistics: (query: GetStatistics = {}, signal?: AbortSignal) =>
      request<Statistics>('/api/v1/statistics', { query, signal }),

    actionOutcomes: (query: ListActionOutcomes, signal?: AbortSignal) =>
      request<ActionOutcomes>('/api/v1/action-outcomes', { query, signal }),
    /** `outcome: null` removes the setting. */
    setActionOutcome: (input: SetActionOutcome) =>
      request<ActionOutcomes>('/api/v1/action-outcomes', { method: 'PUT', body: input }),

    startAnalysis: (input: StartAnalysis) =>
      request<AnalysisRun>('/api/v1/feedback-analyses', { method: 'POST', body: input }),
    analyses: (query: ListAnalyses = {}, signal?: AbortSignal) =>
      request<AnalysisPage>('/api/v1/feedback-analyses', { query, signal }),
    analysis: (analysisId: string, signal?: AbortSignal) =>
      request<AnalysisDetail>(`/api/v1/feedback-analyses/${encodeURIComponent(analysisId)}`, { signal }),
    cancelAnalysis: (analysisId: string) =>
      request<AnalysisRun>(`/api/v1/feedback-analyses/${encodeURIComponent(analysisId)}/cancel`, {
        method: 'POST',
        body: {},
      }),

    /** A URL, because the file may be too large to load into memory. */
    exportUrl: (query: ExportTasks) =>
      urlOf(options, '/api/v1/export', { ...query, workspace: options.workspaceId }),
  }
}
