import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AnalysisPage, AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { limits } from '../../../contract/limits.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const pollIntervalMilliseconds = 1_000

export type Analyses = ReturnType<typeof useAnalyses>

/** The newest analysis runs of an app and type, newest first; polled while one of them is in progress. */
export function useAnalyses({ app, type }: AppAndType) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const analyzeButton = useRef<HTMLButtonElement>(null)
  const queryKey = ['analyses', workspaceId, app, type]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.analyses({ app, type, limit: limits.pageMax }, signal),
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
  const runs = query.data?.analyses ?? []
  const runInProgress = runs.find(isInProgress)
  const isBusy = start.isPending || runInProgress !== undefined
  return {
    runs,
    runInProgress,
    isBusy,
    isLoaded: query.data !== undefined,
    hasStarted: start.isSuccess,
    failure: start.error
      ? { action: 'started', error: start.error }
      : cancel.error && cancel.variables === runInProgress?.analysisId
        ? { action: 'cancelled', error: cancel.error }
        : query.error && { action: 'loaded', error: query.error },
    analyzeButton,
    analyze() {
      if (!isBusy) start.mutate()
    },
    cancel() {
      if (runInProgress) cancel.mutate(runInProgress.analysisId)
      // The pressed button disappears when the run ends.
      analyzeButton.current?.focus()
    },
  }
}

/** One run, with its result once it is completed. */
export function useAnalysis(analysisId: string | undefined) {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['analysis', workspaceId, analysisId],
    queryFn: ({ signal }) => api.analysis(analysisId!, signal),
    enabled: analysisId !== undefined,
  })
}

function isInProgress({ status }: AnalysisRun): boolean {
  return status === 'pending' || status === 'running'
}
