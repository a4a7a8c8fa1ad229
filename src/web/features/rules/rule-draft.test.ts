import { expect, test } from 'vitest'
import type { Rule } from '../../../contract/rules/rule.ts'
import { checkDraft } from './check-draft.ts'
import { contextFields } from './context-fields.ts'
import { changeRuleBody, createRuleBody, draftOfRule, emptyDraft, resetsEvidence } from './rule-draft.ts'

const fields = contextFields({
  refund: { amount: 36, lines: [{ sku: 'A' }], note: null },
  zip: '10115',
  vip: false,
  'odd.name': 'x',
})
const rule = {
  name: 'Small refunds',
  app: 'shop',
  type: 'refund',
  when: [
    { field: 'refund.amount', is: 'atMost', value: 40 },
    { field: 'zip', is: 'oneOf', value: ['10115', '10117'] },
    { field: 'vip', is: 'equals', value: false },
    { field: 'unknown', is: 'equals', value: '12' },
    { field: 'note', is: 'absent' },
  ],
  answer: { actionId: 'approve', actionTitle: 'Approve', data: { reason: 'ok' } },
  sample: 0.1,
  until: '2030-01-01T12:00:00.000Z',
  allowedDisagreement: 0.02,
} as unknown as Rule

test('short values of a context are offered as paths', () => {
  expect(fields).toEqual([
    { path: 'refund.amount', value: 36 },
    { path: 'zip', value: '10115' },
    { path: 'vip', value: false },
    { path: 'odd.name', value: 'x' },
  ])
})

test('paths that no condition can name are not offered', () => {
  const data = { 'a.b': 1, a: { b: 2 }, 'c.0': 1, c: [2], 'd.e': 3, d: {}, ['x'.repeat(201)]: 4 }
  expect(contextFields(data)).toEqual([{ path: 'd.e', value: 3 }])
})

test('a rule that is edited without a change is not changed, and values keep their kind', () => {
  const draft = draftOfRule(rule)
  expect(createRuleBody(draft, fields).when).toEqual(rule.when)
  expect(changeRuleBody(draft, rule, fields)).toEqual({})
})

test('only changed parts are sent; name and end keep the evidence', () => {
  const draft = { ...draftOfRule(rule), name: 'Refunds', until: '2030-01-02' }
  const renamed = changeRuleBody(draft, rule, fields)
  expect(Object.keys(renamed)).toEqual(['name', 'until'])
  expect(resetsEvidence(renamed)).toBe(false)
  const stricter = changeRuleBody({ ...draft, allowed: '1', versions: '1.0, 1.1' }, rule, fields)
  expect(stricter).toMatchObject({ allowedDisagreement: 0.01, versions: ['1.0', '1.1'] })
  expect(resetsEvidence(stricter)).toBe(true)
  expect(changeRuleBody(draftOfRule(rule), { ...rule, versions: ['1.0'] }, fields)).toEqual({
    versions: null,
  })
})

test('a new name does not change values that the form cannot show as they are', () => {
  const odd = {
    ...rule,
    when: [
      { field: 'quoted', is: 'equals', value: '"x"' },
      { field: 'spaces', is: 'equals', value: ' x ' },
      { field: 'empty', is: 'equals', value: '' },
      { field: 'lines', is: 'oneOf', value: ['a\nb', '', 'c'] },
      { field: 'zip', is: 'equals', value: 10115 },
    ],
    versions: ['1,0'],
    allowedDisagreement: 0.0234567,
  } as unknown as Rule
  const draft = { ...draftOfRule(odd), name: 'Refunds' }
  expect(checkDraft(draft)).toEqual({})
  expect(createRuleBody(draft, fields).when).toEqual(odd.when)
  expect(changeRuleBody(draft, odd, fields)).toEqual({ name: 'Refunds' })

  // Another condition is removed: the remaining ones are kept.
  expect(changeRuleBody({ ...draft, when: draft.when.slice(1) }, odd, fields).when).toEqual(odd.when.slice(1))
})

test('texts with quotes, line breaks, backslashes or spaces around them and empty ones can be read back', () => {
  const value = [
    '"x"',
    ' x ',
    '',
    '"',
    '12',
    'plain',
    'a\nb',
    'a\r\n"b" \\n',
    'C:\\new',
    '"C:\\new"',
    ' C:\\new ',
  ]
  const when = [{ field: 'a', is: 'oneOf', value }]
  const [condition] = draftOfRule({ ...rule, when } as unknown as Rule).when
  const changed = { ...condition!, value: `${condition!.value}\nnew` }
  expect(createRuleBody({ ...emptyDraft({}), when: [changed] }, fields).when?.[0]).toMatchObject({
    value: [...value, 'new'],
  })
})

test('a typed value is of the kind that tasks have', () => {
  const typed = (field: string, value: string) =>
    createRuleBody({ ...emptyDraft({}), when: [{ field, is: 'equals', value }] }, fields).when?.[0]
  expect(typed('zip', '10119')).toMatchObject({ value: '10119' })
  expect(typed('refund.amount', '12.5')).toMatchObject({ value: 12.5 })
  expect(typed('vip', 'true')).toMatchObject({ value: true })
  expect(typed('unknown', '"12"')).toMatchObject({ value: '12' })
  expect(typed('unknown', 'wrong size')).toMatchObject({ value: 'wrong size' })
})

test('what is missing is said at its field', () => {
  const draft = { ...emptyDraft({ app: 'shop', type: 'refund' }), allowed: '30', until: '' }
  expect(Object.keys(checkDraft(draft))).toEqual([
    'name',
    'when[0].field',
    'when[0].value',
    'answer.actionId',
    'allowedDisagreement',
    'until',
  ])
  expect(checkDraft({ ...draftOfRule(rule), when: [] })).toEqual({})
  expect(checkDraft({ ...draftOfRule(rule), when: [{ field: 'a', is: 'atMost', value: 'many' }] })).toEqual({
    'when[0].value': 'Enter a number.',
  })
})
