import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnalysisPage, AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const pollIntervalMilliseconds = 1_000

export type Pair = { app: string; type: string }

/** The analysis runs of an app and type, newest first, polled while one is in progress. */
export function useAnalyses({ app, type }: Pair) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const queryKey = ['analyses', workspaceId, app, type]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.analyses({ app, type }, signal),
    refetchInterval: ({ state }) =>
      state.data?.analyses.some(isInProgress) ? pollIntervalMilliseconds : false,
    refetchOnWindowFocus: true,
  })
  /** Shows the returned run until the list is refetched. */
  function storeRun(run: AnalysisRun) {
    client.setQueryData<AnalysisPage>(queryKey, (page) => {
      const others = page?.analyses.filter(({ analysisId }) => analysisId !== run.analysisId) ?? []
      return { analyses: [run, ...others], nextCursor: page?.nextCursor ?? null }
    })
    void client.invalidateQueries({ queryKey })
  }
  const start = useMutation({ mutationFn: () => api.startAnalysis({ app, type }), onSuccess: storeRun })
  const cancel = useMutation({ mutationFn: api.cancelAnalysis, onSuccess: storeRun })
  return { query, start, cancel }
}

export function isInProgress({ status }: AnalysisRun): boolean {
  return status === 'pending' || status === 'running'
}
