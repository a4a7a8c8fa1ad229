import { expect, test } from 'vitest'
import { viewProblems } from '../../../../../test/support/block-kit.ts'
import type { Action } from '../../../../contract/action.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { errorsByInput, fieldsOf, readAnswer } from './form.ts'
import { answerModal } from './modal.ts'

const task = { id: 'tsk_1', revision: 3, name: 'Refund €40?' } as TaskRow
const actionWith = (properties: object, more: object = {}, ui: object = {}): Action => ({
  id: 'a',
  title: 'A title that is longer than a modal can show',
  schema: { type: 'object', properties, ...more } as Action['schema'],
  ui: ui as Action['ui'],
})

test.each([
  { a: { type: 'string' } },
  { a: { type: 'string', enum: Array.from({ length: 100 }, (_, n) => `option ${n}`) } },
  { a: { type: 'string', enum: ['x', 'y'], enumNames: ['One', 'Two'], default: 'y' } },
  { a: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }], type: 'integer' } },
  { a: { type: 'boolean', title: 'Sure?' }, b: { type: 'string', format: 'date', default: '2026-11-17' } },
  { a: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b'] } },
  Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field${n}`, { type: 'number' }])),
])('a form that fits becomes a modal within the limits of Slack: %#', (properties) => {
  const view = answerModal(task, actionWith(properties), undefined, 'C1')
  expect(viewProblems(view!)).toEqual([])
  expect(JSON.parse(String(view!.private_metadata))).toEqual({
    taskId: 'tsk_1',
    revision: 3,
    actionId: 'a',
    channelId: 'C1',
  })
})

test.each<[object, object?, object?]>([
  [{ a: { type: 'object', properties: { b: { type: 'string' } } } }],
  [{ a: { type: 'array', items: { type: 'string' } } }],
  [{ a: { type: 'string', format: 'date-time' } }],
  [{ a: { type: 'string', readOnly: true, default: 'x' } }],
  [{ a: { type: ['string', 'null'] } }],
  [{ a: { $ref: '#/$defs/a' } }],
  [{ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }],
  [{ a: { type: 'string', enum: ['x'.repeat(76)] } }],
  [{ a: { type: 'string', enum: Array.from({ length: 101 }, (_, n) => `o${n}`) } }],
  [{ a: { type: 'string', default: 'x'.repeat(3_001) } }],
  [{ a: { type: 'string', default: 'to \u202e001' } }],
  [{ a: { type: 'string', enum: ['x'], default: 'y' } }],
  [{ a: { type: 'string' } }, { if: {}, else: { required: ['a'] } }],
  [{ a: { type: 'string' } }, { required: ['b'] }],
  [{ a: { type: 'string' } }, { additionalProperties: true }],
  [{ a: { type: 'string' } }, {}, { a: { 'ui:widget': 'password' } }],
  [{ a: { type: 'string' } }, {}, { a: { 'ui:readonly': true } }],
  [{ a: { type: 'number' } }, {}, { a: { 'ui:widget': 'rating' } }],
  [{ a: { type: 'string' } }, {}, { a: { 'ui:options': { language: 'sql' } } }],
])('a form that Slack cannot show as it is has no modal: %j', (properties, more = {}, ui = {}) => {
  expect(fieldsOf(actionWith(properties, more, ui), undefined)).toBeUndefined()
})

test('what was left empty is left out, and options become their values again', () => {
  const fields = fieldsOf(
    actionWith({
      text: { type: 'string' },
      count: { type: 'integer' },
      level: { type: 'integer', enum: [10, 20] },
      many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      sure: { type: 'boolean' },
    }),
    undefined,
  )!
  const values: Record<string, object> = {
    'field-0': { value: null },
    'field-1': { value: '7' },
    'field-2': { selected_option: { value: '1' } },
    'field-3': { selected_options: [] },
    'field-4': { selected_option: { value: '1' } },
  }
  expect(readAnswer(fields, (blockId) => values[blockId]!)).toEqual({ count: 7, level: 20, sure: false })
})

test('a label is the title that was sent, or the name of the field as words', () => {
  const action = actionWith({
    refundAmount: { type: 'number' },
    why: { type: 'string', title: 'Reason' },
    who: { type: 'string', title: 'Person' },
  })
  const fields = fieldsOf({ ...action, ui: { who: { 'ui:title': 'Colleague' } } }, undefined)!
  const labels = fields.map(({ block }) => (block.label as { text: string }).text)
  expect(labels).toEqual(['Refund amount', 'Reason', 'Colleague'])
})

test('an option that was not offered counts as empty', () => {
  const fields = fieldsOf(actionWith({ level: { type: 'string', enum: ['a'] } }), undefined)!
  expect(readAnswer(fields, () => ({ selected_option: { value: '5' } }))).toEqual({})
})

test.each(['abc', '1e999'])('the text %s in a number field is no number', (value) => {
  const fields = fieldsOf(actionWith({ count: { type: 'number' } }), undefined)!
  expect(readAnswer(fields, () => ({ value }))).toEqual({ count: value })
})

test('errors find their inputs, also of fields with unusual names', () => {
  const fields = fieldsOf(actionWith({ 'why not': { type: 'string' }, many: { type: 'string' } }), undefined)!
  expect(
    errorsByInput(fields, [
      { path: 'data["why not"]', message: 'Too short.' },
      { path: 'data.many[1]', message: 'Unknown.' },
    ]),
  ).toEqual({ 'field-0': 'Too short.', 'field-1': 'Unknown.' })
  expect(errorsByInput(fields, [{ path: 'data', message: 'Wrong.' }])).toBeUndefined()
})
