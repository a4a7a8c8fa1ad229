import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { GetStatistics } from '../../../contract/statistics.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useStatistics } from './use-statistics.ts'

test('figures are never compared with those of other filters', async () => {
  const range = { from: '2026-11-10', to: '2026-11-16' }
  const responses = new Map<string, (figures: object) => void>()
  const statistics = ({ app, from }: GetStatistics) =>
    new Promise((resolve) => responses.set(`${app} ${from?.slice(0, 10)}`, resolve))
  const respond = (app: string, from: string) =>
    act(async () => responses.get(`${app} ${from}`)?.({ app, from }))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api: { statistics }, workspaceId: 'acme' } as never}>
        {children}
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const client = new QueryClient()
  const { result, rerender } = renderHook((app: string) => useStatistics({ app, ...range }), {
    wrapper,
    initialProps: 'shop',
  })
  await respond('shop', '2026-11-10')
  await respond('shop', '2026-11-03')
  await vi.waitFor(() => expect(result.current.previous).toMatchObject({ app: 'shop' }))

  rerender('depot')
  await respond('depot', '2026-11-03')
  expect(result.current.current.data).toMatchObject({ app: 'shop' })
  expect(result.current.previous).toBeUndefined()
  await respond('depot', '2026-11-10')
  await vi.waitFor(() => expect(result.current.previous).toMatchObject({ app: 'depot' }))
  expect(result.current.current.data).toMatchObject({ app: 'depot' })
})
