import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useAnalyses } from './use-analyses.ts'

test('a failed cancellation is shown only while that run is in progress', async () => {
  const client = new QueryClient()
  let analyses = [{ analysisId: 'ana_1', status: 'running' }]
  const api = {
    analyses: vi.fn(async () => ({ analyses, nextCursor: null })),
    cancelAnalysis: vi.fn(async () => {
      throw new Error('The service could not be reached.')
    }),
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api, workspaceId: 'wsp_1' } as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const { result, unmount } = renderHook(() => useAnalyses({ app: 'shop', type: 'refund' }), { wrapper })
  await vi.waitFor(() => expect(result.current.runInProgress).toBeDefined())
  // A page of the default size could contain only failed runs, and no report.
  expect(api.analyses).toHaveBeenCalledWith({ app: 'shop', type: 'refund', limit: 100 }, expect.anything())
  act(() => result.current.cancel())
  await vi.waitFor(() => expect(result.current.failure).toMatchObject({ action: 'cancelled' }))

  analyses = [{ analysisId: 'ana_1', status: 'done' }]
  await act(() => client.refetchQueries())
  await vi.waitFor(() => expect(result.current.runInProgress).toBeUndefined())
  expect(result.current.failure).toBeFalsy()
  analyses = [{ analysisId: 'ana_2', status: 'running' }, ...analyses]
  await act(() => client.refetchQueries())
  await vi.waitFor(() => expect(result.current.runInProgress?.analysisId).toBe('ana_2'))
  expect(result.current.failure).toBeFalsy()
  unmount()
})
