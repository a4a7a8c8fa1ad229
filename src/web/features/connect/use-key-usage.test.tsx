import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { useKeyUsage } from './use-key-usage.ts'

afterEach(() => void vi.useRealTimers())

test('a revoked key that was used does not end the wait for the first call of a valid one', async () => {
  vi.useFakeTimers()
  const revoked = { keyId: 'key_1', lastUsedAt: '2026-11-01T10:00:00Z', revokedAt: '2026-11-02T10:00:00Z' }
  const used = { keyId: 'key_2', lastUsedAt: '2026-11-03T10:00:00Z' }
  const apiKeys = vi
    .fn()
    .mockResolvedValueOnce({ apiKeys: [revoked, { keyId: 'key_2' }] })
    .mockResolvedValue({ apiKeys: [revoked, used] })
  const queryClient = new QueryClient()
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ api: { apiKeys }, workspaceId: 'acme' } as never}>
        {children}
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const { result, unmount } = renderHook(() => useKeyUsage(undefined), { wrapper })
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(result.current.data).toEqual({ keys: [{ keyId: 'key_2' }], usedKey: undefined })
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(result.current.data?.usedKey).toEqual(used)
  unmount()
})
