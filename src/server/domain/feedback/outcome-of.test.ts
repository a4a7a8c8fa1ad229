import { expect, test } from 'vitest'
import { outcomeOf } from './outcome-of.ts'

test.each([
  ['approve', 'Approve', 'positive'],
  ['a1', 'Looks good, send it', 'positive'],
  ['reject', 'Reject', 'negative'],
  ['needsFix', 'Fix it', 'negative'],
  ['request-changes', 'Request changes', 'negative'],
  ['dont-send', "Don't send", 'negative'],
  ['no', 'No', 'negative'],
  ['approve-with-changes', 'Approve with changes', 'neutral'],
  ['freigeben', 'Freigeben', 'positive'],
  ['ablehnen', 'Ablehnen', 'negative'],
  ['x', '承認', 'positive'],
  ['later', 'Decide later', 'neutral'],
  ['pick', 'Pick the better one', 'neutral'],
  ['service:mark-done', 'Mark done', 'neutral'],
  ['service:reject-request', 'Reject request', 'negative'],
])('%s, "%s" is %s', (id, title, outcome) => {
  expect(outcomeOf({ id, title })).toBe(outcome)
})

test('what the sender declares counts, but not for the two actions of the service', () => {
  expect(outcomeOf({ id: 'reject', title: 'Reject', outcome: 'positive' })).toBe('positive')
  expect(outcomeOf({ id: 'service:reject-request', title: 'Reject request', outcome: 'positive' })).toBe(
    'negative',
  )
})
