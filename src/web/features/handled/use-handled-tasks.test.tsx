import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { type PropsWithChildren, useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import { useHandledTasks } from './use-handled-tasks.ts'

type Query = { cursor?: string; version?: string; handledAfter?: string }

/** The tasks of a list that always asks for more, as one does whose end is in view. */
function listed(filters: HandledFilters, listTasks: (query: Query) => Promise<unknown>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const session = { api: { listTasks }, workspaceId: 'acme', me: { person: { email: 'mara@acme.example' } } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  return renderHook(
    ({ filters }) => {
      const list = useHandledTasks(filters)
      const { hasMore, loadMore } = list
      useEffect(() => {
        if (hasMore) loadMore()
      }, [hasMore, loadMore])
      return list
    },
    { wrapper, initialProps: { filters } },
  )
}

test('a next page that failed is requested again only on request', async () => {
  let isDown = true
  const listTasks = vi.fn(async ({ cursor }: Query) => {
    if (cursor === undefined) return { tasks: [{ taskId: 'first' }], nextCursor: 'next' }
    if (isDown) throw new Error('The service could not be reached.')
    return { tasks: [{ taskId: 'second' }], nextCursor: null }
  })
  const { result: list } = listed({}, listTasks)
  await waitFor(() => expect(list.current.problem).toBeDefined())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(listTasks.mock.calls.map(([{ cursor }]) => cursor)).toEqual([undefined, 'next'])
  isDown = false
  list.current.reload()
  await waitFor(() => expect(list.current.tasks.map(({ taskId }) => taskId)).toEqual(['first', 'second']))
  expect(listTasks.mock.calls.map(([{ cursor }]) => cursor)).toEqual([undefined, 'next', 'next'])
})

test.each([undefined, 'cancelled', 'expired'] as const)(
  'the version applies to status %s',
  async (status) => {
    const listTasks = vi.fn(async (_: Query) => ({ tasks: [], nextCursor: null }))
    listed({ status, version: 'v2' }, listTasks)
    await waitFor(() => expect(listTasks).toHaveBeenCalled())
    expect(listTasks.mock.calls[0]![0].version).toBe('v2')
  },
)

test('a period starts with its first millisecond: `handledAfter` is exclusive', async () => {
  const listTasks = vi.fn(async (_: Query) => ({ tasks: [], nextCursor: null }))
  listed({ when: 'today' }, listTasks)
  await waitFor(() => expect(listTasks).toHaveBeenCalled())
  const after = new Date(listTasks.mock.calls[0]![0].handledAfter!)
  expect([after.getHours(), after.getMinutes(), after.getMilliseconds()]).toEqual([23, 59, 999])
})

test('while a search loads, the earlier results keep the order by which they are grouped', async () => {
  const { result, rerender } = listed({}, async () => ({ tasks: [{ taskId: 'first' }], nextCursor: null }))
  await waitFor(() => expect(result.current.isCurrent).toBe(true))
  rerender({ filters: { q: 'refund' } })
  expect(result.current).toMatchObject({ isCurrent: false, sortedBy: 'handledAt' })
})
