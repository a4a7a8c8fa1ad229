import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { useTaskDisplayState } from './task-display.ts'

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

function display(first: MemberTaskRecord) {
  return renderHook(({ task }) => useTaskDisplayState(task, []), { initialProps: { task: first } })
}

test.each([{}, { blind: true }])('a revision with other items shows all of them: %j', (options) => {
  const { result, rerender } = display(task(['atlas', 'birch'], options))
  const order = () => result.current.presentedForAnswer()?.drafts?.order
  rerender({ task: task(['atlas', 'birch', 'cedar'], options) })
  expect(order()?.toSorted()).toEqual([0, 1, 2])
  act(() => result.current.comparison('drafts')!.change({ order: [2, 1, 0], isBlind: true }))
  expect(order()).toEqual([2, 1, 0])
  rerender({ task: task(['cedar', 'atlas', 'birch'], options) })
  expect(order()).toEqual([2, 1, 0])
  rerender({ task: task(['atlas'], options) })
  expect(order()).toEqual([0])
})

const pickAction = (id: string, field: string) => ({
  id,
  title: id,
  schema: { type: 'object', properties: { winner: { type: 'string', enum: ['atlas', 'birch'] } } },
  ui: { winner: { 'ui:options': { compare: field } } },
})

test('panes have digits only if exactly one comparison is to be decided', () => {
  const one = task(['atlas', 'birch'])
  const { result, rerender } = display({ ...one, actions: [pickAction('pick', 'drafts')] } as never)
  const hasDigits = () => result.current.comparison('drafts')!.hasDigits
  expect(hasDigits()).toBe(true)
  rerender({ task: one })
  expect(hasDigits()).toBe(false)
  const context = {
    data: { ...one.context?.data, others: one.context?.data.drafts },
    ui: { ...one.context?.ui, others: { 'ui:widget': 'compare' } },
  }
  const actions = [pickAction('pick', 'drafts'), pickAction('other', 'others')]
  rerender({ task: { ...one, context, actions } as never })
  expect(hasDigits()).toBe(false)
  act(() => result.current.setFormData('pick', {}))
  expect(hasDigits()).toBe(true)
})

test('a blind comparison hides source and model, also long ones', () => {
  const source = 'Answers of the second team, '.repeat(5).trim()
  const blind = task(['atlas', 'birch'], { blind: true })
  const [first, ...rest] = blind.context!.data.drafts as object[]
  const data = { drafts: [{ ...first, source, model: 'atlas-9' }, ...rest], note: `${source} used atlas-9.` }
  const { result } = display({ ...blind, context: { ...blind.context, data } } as never)
  expect(result.current.context?.data.note).toMatch(/^(Item \d) used \1\.$/)
})
