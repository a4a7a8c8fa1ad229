import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { useSnooze } from './use-snooze.ts'

function setUp() {
  const [openTask, focusList] = [vi.fn(), vi.fn()]
  const inbox = { change: vi.fn(), refresh: vi.fn(async () => true), reload: vi.fn(async () => true) }
  let unsnoozed: () => void = () => undefined
  const api = { unsnoozeTask: () => new Promise<void>((resolve) => (unsnoozed = resolve)) }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' } } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const options = { inbox, filters: noInboxFilters, rows: [], taskId: 'tsk_1', openTask, focusList }
  const { result, rerender, unmount } = renderHook(
    (displayed: object) => useSnooze({ ...options, ...displayed } as never),
    { wrapper, initialProps: {} },
  )
  const respond = () =>
    act(() => result.current.onSnoozed({ taskId: 'tsk_1' } as never, '2026-11-19T08:00:00.000Z'))
  const display = (taskId: string) => rerender({ taskId })
  const startUndo = () => act(() => result.current.undoable?.onUndo())
  const finishUndo = () => act(async () => unsnoozed())
  return { inbox, openTask, focusList, respond, display, startUndo, finishUndo, unmount }
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

test('the list is loaded again, because something may have happened to the task before the response', () => {
  const { inbox, respond } = setUp()
  respond()
  expect(inbox.change).toHaveBeenCalledWith(expect.objectContaining({ kind: 'snoozed', taskId: 'tsk_1' }))
  expect(inbox.refresh).toHaveBeenCalledOnce()
  expect(inbox.refresh.mock.invocationCallOrder[0]).toBeGreaterThan(inbox.change.mock.invocationCallOrder[0]!)
})

test('undoing it opens the task again, but not if the person has opened another one meanwhile', async () => {
  const { inbox, openTask, respond, display, startUndo, finishUndo } = setUp()
  respond()
  display('tsk_2')
  startUndo()
  await finishUndo()
  expect(inbox.reload).toHaveBeenCalledOnce()
  expect(openTask).toHaveBeenLastCalledWith('tsk_1')

  openTask.mockClear()
  display('tsk_1')
  respond()
  display('tsk_2')
  startUndo()
  openTask.mockClear()
  display('tsk_3')
  await finishUndo()
  expect(inbox.reload).toHaveBeenCalledTimes(2)
  expect(openTask).not.toHaveBeenCalled()
})
