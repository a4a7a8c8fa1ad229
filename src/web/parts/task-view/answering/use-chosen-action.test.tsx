import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../../contract/action.ts'
import { useChosenAction } from './use-chosen-action.ts'

afterEach(() => {
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
  act(() => result.current.choose('reply', 'key'))
  expect(document.activeElement?.tagName).toBe(isWaiting ? 'BODY' : 'TEXTAREA')
  expect(result.current.chosenBy).toBe(isWaiting ? 'key' : undefined)
})

test('the action of the newest draft is chosen, which is the last one whatever its clock says', () => {
  const two = [...actions, { id: 'refund', title: 'Refund' }] as Action[]
  const draft = (actionId: string, updatedAt: string) => ({ actionId, data: {}, revision: 1, updatedAt })
  const drafts = [draft('refund', '2026-11-18T10:05:00.000Z'), draft('reply', '2026-11-18T10:00:00.000Z')]
  const { result } = renderHook(() => useChosenAction(two, drafts, () => undefined))
  expect(result.current.chosen?.id).toBe('reply')
})

test('a click lets the form of an action take the focus, and a second one deselects the action', () => {
  const two = [...actions, { id: 'refund', title: 'Refund' }] as Action[]
  const { result } = renderHook(() => useChosenAction(two, [], () => undefined))
  act(() => result.current.choose('reply', 'click'))
  expect(result.current).toMatchObject({ chosen: { id: 'reply' }, chosenBy: 'click' })
  act(() => result.current.choose('reply', 'click'))
  expect(result.current).toMatchObject({ chosen: undefined, chosenBy: undefined })
})
