import type { ExportTasks } from '../contract/export.ts'
import type { AnalysisPage, AnalysisRun, ListAnalyses, StartAnalysis } from '../contract/feedback-analysis.ts'
import type { GetStatistics, Statistics } from '../contract/statistics.ts'
import { type ClientOptions, queryString, type Transport } from './transport.ts'

/** What people answered, counted, analysed and as a file. */
export function feedbackCalls(request: Transport, { baseUrl, workspaceId }: ClientOptions) {
  return {
    statistics: (query: GetStatistics = {}, signal?: AbortSignal) =>
      request<Statistics>('/api/v1/statistics', { query, signal }),

    startAnalysis: (input: StartAnalysis) =>
      request<AnalysisRun>('/api/v1/feedback-analyses', { method: 'POST', body: input }),
    analyses: (query: ListAnalyses = {}, signal?: AbortSignal) =>
      request<AnalysisPage>('/api/v1/feedback-analyses', { query, signal }),
    cancelAnalysis: (analysisId: string) =>
      request<AnalysisRun>(`/api/v1/feedback-analyses/${encodeURIComponent(analysisId)}/cancel`, {
        method: 'POST',
        body: {},
      }),

    /** For whoever reads the file while it comes: it may be larger than memory. */
    exportUrl: (query: ExportTasks) =>
      `${baseUrl}/api/v1/export${queryString({ ...query, workspace: workspaceId })}`,
  }
}
