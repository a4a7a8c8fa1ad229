import { expect, test } from 'vitest'
import { formatShortPercent } from '../../lib/numbers.ts'
import { describeBriefly, describeRule, oneIn, plainText } from './describe-rule.ts'

const rule = {
  app: 'refund-agent',
  type: 'refund-approval',
  when: [
    { field: 'refund.amount', is: 'atMost', value: 40 },
    { field: 'reason', is: 'oneOf', value: ['wrong size', 'damaged', 'late'] },
    { field: 'parcel.scannedAt', is: 'present' },
  ],
  answer: { actionId: 'approve', actionTitle: 'Approve' },
  sample: 0.1,
} satisfies Parameters<typeof describeRule>[0]

const says = (changed: Partial<Parameters<typeof describeRule>[0]> = {}) =>
  plainText(describeRule({ ...rule, ...changed })).replaceAll('\u00a0', ' ')

test('a rule says what it answers, under which conditions, and how many tasks go to people', () => {
  expect(says()).toBe(
    'When refund-agent sends a task of type refund-approval where refund.amount is at most 40, reason is wrong size, damaged or late and parcel.scannedAt is present, the rule answers Approve. 1 in 10 goes to people like any other task, and nothing shows that it is a sample.',
  )
})

test('without conditions it is about every task; until when is said if asked', () => {
  const year = new Date().getFullYear()
  expect(says({ when: [], sample: 1, until: `${year}-02-13T12:00:00.000Z` })).toMatch(
    /^When refund-agent sends a task of type refund-approval, the rule answers Approve until (13 February|February 13)\. For now every one goes to people/,
  )
})

test('versions are named if the rule answers only those', () => {
  expect(says({ when: [], versions: ['1.4.0', '1.5.0'] })).toMatch(
    /^When refund-agent sends a task of type refund-approval and version 1\.4\.0 or 1\.5\.0, the rule answers/,
  )
})

test('an empty text in a condition can be seen', () => {
  expect(says({ when: [{ field: 'reason', is: 'equals', value: '' }] })).toContain('where reason is “”, the')
})

test('a rule that does not answer now is described in the past tense', () => {
  const when = [
    { field: 'vip', is: 'equals' as const, value: false },
    { field: 'score', is: 'atLeast' as const, value: 0.97 },
    { field: 'note', is: 'absent' as const },
  ]
  expect(says({ state: 'paused', when })).toBe(
    'When refund-agent sent a task of type refund-approval where vip is false, score is at least 0.97 and note is absent, the rule answered Approve. 1 in 10 went to people like any other task.',
  )
})

test('the limits of a condition are not rounded', () => {
  const when = [{ field: 'score', is: 'atLeast' as const, value: 0.9995 }]
  expect(says({ when })).toContain('score is at least 0.9995,')
  expect(says({ when: [{ field: 'amount', is: 'atMost', value: 1_284.0005 }] })).toMatch(
    /at most 1,284\.0005,/,
  )
})

test('in a list a rule is one short line', () => {
  expect(describeBriefly({ ...rule, when: rule.when.slice(0, 1) })).toBe(
    'Approve: refund-approval where refund.amount is at most 40.',
  )
  expect(describeBriefly({ ...rule, when: [] })).toBe('Approve: refund-approval.')
})

test.each([
  [0.05, '1 in 20'],
  [0.25, '1 in 4'],
  [0.3, '30 %'],
  [0.125, '1 in 8'],
  [1, 'every one'],
])('a share of %d is “%s”', (share, text) => {
  expect(oneIn(share).replaceAll('\u00a0', ' ')).toBe(text)
})

test('percentages have no decimals that say nothing', () => {
  expect([0.02, 0.026, 0.005].map(formatShortPercent)).toEqual(['2\u00a0%', '2.6\u00a0%', '0.5\u00a0%'])
})
