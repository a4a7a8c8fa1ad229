import { expect, test } from 'vitest'
import { contextWarnings } from './hints.ts'

const compare = {
  responses: {
    'ui:title': 'Responses',
    'ui:widget': 'compare',
    items: { response: { 'ui:widget': 'markdown' } },
  },
}

test('the hints of the comparison example give no warning', () => {
  const data = {
    responses: [
      { name: 'A', response: '# One' },
      { name: 'B', response: '# Two' },
    ],
  }
  expect(contextWarnings(data, compare)).toEqual([])
  expect(contextWarnings(data, undefined)).toEqual([])
  expect(contextWarnings({ responses: [] }, compare)).toEqual([])
})

test('an unknown widget and a hint for a missing field are told with their paths', () => {
  const ui = {
    prompt: { 'ui:widget': 'constructor' },
    summary: { 'ui:title': 'Summary' },
    responses: { items: { answer: { 'ui:widget': 'markdown' }, name: { 'ui:widget': 'sparkle' } } },
  }
  const warnings = contextWarnings({ prompt: 'Hi', responses: [{ name: 'A' }] }, ui)
  expect(warnings.map(({ path }) => path)).toEqual([
    'context.ui.prompt["ui:widget"]',
    'context.ui.summary',
    'context.ui.responses.items.answer',
    'context.ui.responses.items.name["ui:widget"]',
  ])
})

test('a field called like something every object has is looked for in the data itself', () => {
  expect(contextWarnings({}, { toString: {} })).toHaveLength(1)
})

test('many hints over a long list are looked through quickly', () => {
  const item = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]))
  const list = [...Array.from({ length: 50_000 }, () => ({})), item]
  const hints = Object.fromEntries(Object.keys(item).map((name) => [name, {}]))
  expect(contextWarnings({ list }, { list: { items: hints } })).toHaveLength(50)
})
