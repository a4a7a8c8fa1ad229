import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useDismissed } from './dismissed-suggestions.ts'

test('suggestions that were dismissed in another tab stay dismissed', () => {
  const [first, second] = [renderHook(() => useDismissed('acme')), renderHook(() => useDismissed('acme'))]
  act(() => first.result.current.dismiss('a'))
  act(() => second.result.current.dismiss('b'))
  const { result } = renderHook(() => useDismissed('acme'))
  expect(['a', 'b', 'c'].map(result.current.isDismissed)).toEqual([true, true, false])
})
