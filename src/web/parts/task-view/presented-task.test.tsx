import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../contract/task.ts'
import { usePresentedTaskState } from './presented-task.ts'

afterEach(cleanup)

function task(names: string[], options: object = {}): MemberTaskRecord {
  return {
    name: 'Which one?',
    description: `Out of ${names.join(', ')}`,
    status: 'open',
    context: {
      data: { drafts: names.map((name) => ({ name, response: `By ${name}` })) },
      ui: { drafts: { 'ui:widget': 'compare', 'ui:options': options } },
    },
  } as never
}

function present(first: MemberTaskRecord) {
  return renderHook(({ shown }) => usePresentedTaskState(shown, []), { initialProps: { shown: first } })
}

test.each([{}, { blind: true }])('a revision with other items shows all of them: %j', (options) => {
  const { result, rerender } = present(task(['atlas', 'birch'], options))
  const order = () => result.current.presentedForAnswer()?.drafts?.order
  rerender({ shown: task(['atlas', 'birch', 'cedar'], options) })
  expect(order()?.toSorted()).toEqual([0, 1, 2])
  act(() => result.current.comparison('drafts')!.change({ order: [2, 1, 0], isBlind: true }))
  expect(order()).toEqual([2, 1, 0])
  rerender({ shown: task(['cedar', 'atlas', 'birch'], options) })
  expect(order()).toEqual([2, 1, 0])
  rerender({ shown: task(['atlas'], options) })
  expect(order()).toEqual([0])
})
