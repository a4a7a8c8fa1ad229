import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnalysisPage, AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { useWorkspace } from '../../lib/person.ts'

const everyMilliseconds = 1_000

export type Pair = { app: string; type: string }

/** The runs of a pair, newest first, asked again while one is under way; how to begin one and to end it. */
export function useAnalyses({ app, type }: Pair) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const queryKey = ['analyses', workspaceId, app, type]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.analyses({ app, type }, signal),
    refetchInterval: ({ state }) => (state.data?.analyses.some(isUnderWay) ? everyMilliseconds : false),
    refetchOnWindowFocus: true,
  })
  /** The run is shown as it was answered, until the list is asked again. */
  function put(run: AnalysisRun) {
    client.setQueryData<AnalysisPage>(queryKey, (page) => {
      const others = page?.analyses.filter(({ analysisId }) => analysisId !== run.analysisId) ?? []
      return { analyses: [run, ...others], nextCursor: page?.nextCursor ?? null }
    })
    void client.invalidateQueries({ queryKey })
  }
  const start = useMutation({ mutationFn: () => api.startAnalysis({ app, type }), onSuccess: put })
  const cancel = useMutation({ mutationFn: api.cancelAnalysis, onSuccess: put })
  return { query, start, cancel }
}

export function isUnderWay({ status }: AnalysisRun): boolean {
  return status === 'pending' || status === 'running'
}
