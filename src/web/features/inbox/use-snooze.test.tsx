import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { useSnooze } from './use-snooze.ts'

function setUp() {
  const [openTask, focusList] = [vi.fn(), vi.fn()]
  const inbox = { change: () => undefined, refresh: async () => true }
  const session = { api: {}, workspaceId: 'acme', me: { person: { userId: 'mara' } } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const options = { inbox, filters: noInboxFilters, rows: [], taskId: 'tsk_1', openTask, focusList }
  const { result, unmount } = renderHook(() => useSnooze(options as never), { wrapper })
  const respond = () =>
    act(() => result.current.onSnoozed({ taskId: 'tsk_1' } as never, '2026-11-19T08:00:00.000Z'))
  return { openTask, focusList, respond, unmount }
}

test('a snoozed task makes way for the next one', () => {
  const { openTask, focusList, respond } = setUp()
  respond()
  expect([openTask, focusList].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('a response after the inbox was left does not lead back to it', () => {
  const { openTask, focusList, respond, unmount } = setUp()
  unmount()
  respond()
  expect([openTask, focusList].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})
