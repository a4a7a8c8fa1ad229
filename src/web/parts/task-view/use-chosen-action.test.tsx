import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../contract/action.ts'
import { useChosenAction } from './use-chosen-action.ts'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

const actions = [{ id: 'reply', title: 'Reply' }] as Action[]

test.each([
  ['moves the focus into its form, once', '<form data-answer-form><textarea></textarea></form>', false],
  ['waits for a form that is still loading', '', true],
])('the key of the chosen action %s', (_, page, isWaiting) => {
  document.body.innerHTML = page
  const { result } = renderHook(() => useChosenAction(actions, [], () => undefined))
  expect(result.current.chosen?.id).toBe('reply')
  act(() => result.current.choose('reply', true))
  expect(document.activeElement?.tagName).toBe(isWaiting ? 'BODY' : 'TEXTAREA')
  expect(result.current.isChosenByKey).toBe(isWaiting)
})
