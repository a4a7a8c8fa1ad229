import { describe, expect, test } from 'vitest'
import { comparedItems, winnerOf, winnerPropertiesOf } from './compare.ts'

const drafts = [
  { name: 'atlas', response: 'A' },
  { name: 'birch', response: 'B' },
]
const context = { data: { prompt: 'Write it.', drafts }, ui: { drafts: { 'ui:widget': 'compare' } } }
const form = (properties: object, ui: object = {}) => ({
  schema: { type: 'object', properties },
  ui: ui as Record<string, unknown>,
})
const names = { type: 'string', enum: ['atlas', 'birch'] }
const letters = { type: 'string', enum: ['a', 'b'] }
const scale = { type: 'integer', enum: [1, 2, 3] }

describe('which property decides a comparison', () => {
  const deciding = (properties: object, ui?: object) =>
    winnerPropertiesOf(context, form(properties, ui))[0]?.property

  test('is the one that names the field', () => {
    const hint = { 'ui:options': { compare: 'drafts' } }
    expect(deciding({ names, letters, scale }, { scale: hint })).toBe('scale')
  })

  test('is otherwise the only one whose values are the names of the items', () => {
    expect(deciding({ letters, names })).toBe('names')
    expect(deciding({ letters, names, others: names })).toBeUndefined()
  })

  test('may also offer ties', () => {
    expect(deciding({ letters, names: { enum: ['tie', 'birch', 'atlas'] } })).toBe('names')
  })

  test('is otherwise the only one with as many values as there are items', () => {
    expect(deciding({ scale, letters })).toBe('letters')
    expect(deciding({ letters, others: letters })).toBeUndefined()
    expect(deciding({ scale, text: { type: 'string' } })).toBeUndefined()
  })

  test('is not one that decides another field', () => {
    expect(deciding({ letters }, { letters: { 'ui:options': { compare: 'photos' } } })).toBeUndefined()
  })

  test('may use oneOf or a reference', () => {
    const variants = { oneOf: [{ const: 'x', title: 'First' }, { const: 'y' }] }
    expect(deciding({ variants })).toBe('variants')
    const schema = { type: 'object', properties: { pick: { $ref: '#/$defs/pick' } }, $defs: { pick: names } }
    expect(winnerPropertiesOf(context, { schema })[0]?.property).toBe('pick')
  })

  test('does not exist without a form, a comparison or items', () => {
    expect(winnerPropertiesOf(context, {})).toEqual([])
    expect(winnerPropertiesOf({ data: { drafts } }, form({ names }))).toEqual([])
    expect(winnerPropertiesOf(undefined, form({ names }))).toEqual([])
    expect(comparedItems({ ...context, data: { drafts: ['text'] } }).size).toBe(0)
    expect(comparedItems({ ...context, data: { drafts: [] } }).size).toBe(0)
  })
})

describe('the winner', () => {
  const winner = (property: object, value: unknown, ui?: object) =>
    winnerOf(winnerPropertiesOf(context, form({ property }, ui && { property: { 'ui:options': ui } }))[0]!, {
      property: value,
    })

  test('is the item named by the value', () => {
    expect(winner({ enum: ['birch', 'atlas'] }, 'birch')).toBe(1)
  })

  test('is otherwise the item at the index of the value', () => {
    expect(winner(letters, 'b')).toBe(1)
    expect(winner({ enum: [7, 8] }, 7)).toBe(0)
    expect(winner({ enum: [{ id: 1 }, { id: 2 }] }, { id: 2 })).toBe(1)
  })

  test('is a tie for every other value', () => {
    expect(winner({ enum: ['atlas', 'birch', 'neither'] }, 'neither')).toBe('tie')
    expect(winner({ enum: ['a', 'b', 'same'] }, 'same', { compare: 'drafts' })).toBe('tie')
    expect(winner({ enum: ['a', 'b', 'same'] }, 'b', { compare: 'drafts' })).toBe(1)
  })

  test('is undefined if nothing was chosen', () => {
    expect(winner(letters, undefined)).toBeUndefined()
  })
})

test('of two items with the same name, only the first can win', () => {
  const twins = { ...context, data: { drafts: [{ name: 'x' }, { name: 'x' }] } }
  const winnerProperty = winnerPropertiesOf(twins, form({ pick: { enum: ['x', 'tie'] } }))[0]!
  expect(winnerProperty.values).toEqual(['x', undefined])
})

test('the prompt of a comparison is the field that the choice names', () => {
  const ui = { names: { 'ui:options': { prompt: 'prompt' } } }
  expect(winnerPropertiesOf(context, form({ names }, ui))).toEqual([
    { field: 'drafts', property: 'names', values: ['atlas', 'birch'], prompt: 'prompt' },
  ])
})
