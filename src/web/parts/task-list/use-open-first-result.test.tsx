import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useOpenFirstResult } from './use-open-first-result.ts'

const found = [{ taskId: 'tsk_1' }, { taskId: 'tsk_2' }]

function list() {
  const onOpen = vi.fn()
  const start = { q: undefined as string | undefined, isCurrent: true, rows: [], displayedId: 'tsk_9' }
  const { result, rerender } = renderHook(useOpenFirstResult, { initialProps: { ...start, onOpen } })
  return {
    onOpen,
    /** Enter; the results are not loaded yet. */
    submit(q: string) {
      act(() => result.current(q))
      rerender({ ...start, q, isCurrent: false, onOpen })
    },
    show: (q: string, isCurrent: boolean, displayedId = 'tsk_9') =>
      rerender({ q, isCurrent, rows: isCurrent ? (found as never[]) : [], displayedId, onOpen }),
  }
}

test('Enter opens the first result once it is loaded', () => {
  const { submit, show, onOpen } = list()
  submit('refund')
  expect(onOpen).not.toHaveBeenCalled()
  show('refund', true)
  expect(onOpen.mock.calls).toEqual([['tsk_1']])
})

test('a task that the person opens before the results are loaded stays open', () => {
  const { submit, show, onOpen } = list()
  submit('refund')
  show('refund', false, 'tsk_7')
  show('refund', true, 'tsk_7')
  expect(onOpen).not.toHaveBeenCalled()
})

test('a search that was replaced before its results were loaded opens nothing later', () => {
  const { submit, show, onOpen } = list()
  submit('refund')
  show('refunds', false)
  show('refunds', true)
  show('refund', true)
  expect(onOpen).not.toHaveBeenCalled()
})
