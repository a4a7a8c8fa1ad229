import { describe, expect, test } from 'vitest'
import { comparedItems } from '../../../../contract/compare.ts'
import { createRenderableForm } from '../../../../contract/forms/renderable-form.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { ComparisonLayout } from '../../../widgets/comparisons.ts'
import { anonymizedPayload, taskForDisplay } from './task-for-display.ts'

const choice = {
  type: 'string',
  enum: ['tie', 'atlas', 'birch'],
  enumNames: ['Neither', 'Atlas wins', 'Birch wins'],
}

function task(winner: object = choice, ui: object = {}): TaskRecord {
  return {
    name: 'Atlas or birch-small?',
    description: 'Pick one. A tie is fine.',
    context: {
      data: {
        drafts: [
          { name: 'atlas', response: 'one' },
          { name: 'birch', source: 'birch-small', response: 'two' },
        ],
      },
      ui: { drafts: { 'ui:widget': 'compare', 'ui:title': 'atlas (left), birch (right)' } },
    },
    actions: [
      {
        id: 'pick',
        title: 'Publish atlas or birch',
        schema: {
          type: 'object',
          properties: {
            winner,
            safest: { type: 'string', title: 'Which is safest, atlas?', enum: ['atlas', 'birch'] },
            birch: { type: 'string' },
          },
        },
        ui: { winner: { 'ui:options': { compare: 'drafts' }, ...ui }, safest: { 'ui:help': 'not atlas' } },
      },
    ],
  } as unknown as TaskRecord
}

const show = (sent: TaskRecord, layout: ComparisonLayout) => {
  const compared = comparedItems(sent.context)
  const layouts = new Map([['drafts', layout]])
  const shown = taskForDisplay(sent, compared, layouts)
  return { shown, payload: anonymizedPayload(shown, compared, layouts) }
}
/** Values and labels as the form would render them. */
const optionsOf = (shown: TaskRecord) => {
  const { schema, ui } = shown.actions![0]!
  const winner = (schema as { properties: Record<string, { enum: string[] }> }).properties.winner!
  const copy = createRenderableForm(schema, ui) as unknown as { ui: { winner: Record<string, string[]> } }
  return winner.enum.map((value, n) => [value, copy.ui.winner['ui:enumNames']?.[n]])
}

test('a task whose panes are in the original order is not changed', () => {
  const sent = task()
  expect(show(sent, { order: [0, 1], isBlind: false }).shown).toBe(sent)
})

test('options follow the order of the panes, ties last, each with its own label', () => {
  const swapped = { order: [1, 0], isBlind: false }
  const expected = [
    ['birch', 'Birch wins'],
    ['atlas', 'Atlas wins'],
    ['tie', 'Neither'],
  ]
  expect(optionsOf(show(task(), swapped).shown)).toEqual(expected)
  const inHints = { 'ui:enumNames': ['Neither', 'Atlas wins', 'Birch wins'] }
  expect(optionsOf(show(task({ enum: ['tie', 'atlas', 'birch'] }, inHints), swapped).shown)).toEqual(expected)
  const variants = {
    oneOf: [
      { const: 'tie', title: 'Neither' },
      { const: 'atlas', title: 'Atlas wins' },
      { const: 'birch', title: 'Birch wins' },
    ],
  }
  expect(optionsOf(show(task(variants), swapped).shown)).toEqual(expected)
})

describe('while a comparison is blind', () => {
  const blind = { order: [1, 0], isBlind: true }

  test('options are labelled by pane position and keep their values', () => {
    expect(optionsOf(show(task(), blind).shown)).toEqual([
      ['birch', 'Item 1'],
      ['atlas', 'Item 2'],
      ['tie', 'Neither'],
    ])
  })

  test('no label contains a name or a source', () => {
    const { shown } = show(task(), blind)
    expect(shown.name).toBe('Item 2 or Item 1?')
    expect(shown.description).toBe('Pick one. A tie is fine.')
    const { title, schema, ui } = shown.actions![0]!
    expect(title).toBe('Publish Item 2 or Item 1')
    const { properties } = schema as { properties: Record<string, Record<string, unknown>> }
    expect(properties.safest).toMatchObject({
      title: 'Which is safest, Item 2?',
      enumNames: ['Item 2', 'Item 1'],
    })
    expect(properties.birch?.title).toBe('Item 1')
    expect(ui).toMatchObject({
      winner: { 'ui:options': { compare: 'drafts' } },
      safest: { 'ui:help': 'not Item 2' },
    })
    expect(shown.context?.ui).toMatchObject({
      drafts: { 'ui:widget': 'compare', 'ui:title': 'Item 2 (left), Item 1 (right)' },
    })
  })

  test('the payload contains neither names nor the original order of the items', () => {
    const { payload } = show(task(), blind)
    expect(JSON.stringify(payload)).not.toMatch(/atlas|birch/i)
    expect(payload).toMatchObject({
      context: {
        data: {
          drafts: [
            { name: 'Item 1', source: 'Item 1', response: 'two' },
            { name: 'Item 2', response: 'one' },
          ],
        },
      },
    })
  })

  test('a one-letter name is hidden only if it is the whole text', () => {
    const sent = task({ enum: ['A', 'B'] })
    sent.context!.data.drafts = [{ name: 'A' }, { name: 'B' }]
    const { shown, payload } = show(sent, blind)
    expect(shown.description).toBe('Pick one. A tie is fine.')
    expect(payload).toMatchObject({ context: { data: { drafts: [{ name: 'Item 1' }, { name: 'Item 2' }] } } })
  })

  test('a name that contains regex characters is hidden too', () => {
    const sent = task({ enum: ['g(p)t+', 'b.*'] })
    sent.context!.data.drafts = [{ name: 'g(p)t+' }, { name: 'b.*' }]
    sent.description = 'Is g(p)t+ better than b.*, or bees?'
    expect(show(sent, blind).shown.description).toBe('Is Item 2 better than Item 1, or bees?')
  })

  test('hints that name fields or answer values keep them, and fields called like such hints are hidden', () => {
    const sent = task(choice)
    sent.actions![0]!.ui = {
      note: { 'ui:options': { prefill: 'atlas', language: 'birch' } },
      fastest: { 'ui:enumDisabled': ['atlas'], 'ui:options': { enumOrder: ['birch', '*'] } },
      reason: { 'ui:emptyValue': 'atlas', 'ui:placeholder': 'Why not atlas?' },
      prompt: { 'ui:title': 'What of atlas?' },
      order: { 'ui:help': 'Before birch' },
    }
    expect(show(sent, blind).shown.actions![0]!.ui).toEqual({
      note: { 'ui:options': { prefill: 'atlas', language: 'birch' } },
      fastest: { 'ui:enumDisabled': ['atlas'], 'ui:options': { enumOrder: ['birch', '*'] } },
      reason: { 'ui:emptyValue': 'atlas', 'ui:placeholder': 'Why not Item 2?' },
      prompt: { 'ui:title': 'What of Item 2?' },
      order: { 'ui:help': 'Before Item 1' },
    })
  })
})
