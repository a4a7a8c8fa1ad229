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
  ['service:reject-request', 'Reject task', 'negative'],
])('%s, "%s" is %s', (id, title, outcome) => {
  expect(outcomeOf({ id, title }).outcome).toBe(outcome)
})

test.each([
  ['send-back', 'Send back', 'negative'],
  ['a', 'Send it back to the agent', 'negative'],
  ['a', 'Needs work', 'negative'],
  ['a', 'Zurückschicken', 'negative'],
  ['a', '差し戻し', 'negative'],
  ['no-changes-needed', 'No changes needed', 'positive'],
  ['noIssues', 'No issues found', 'positive'],
  ['a', 'Keine Änderungen nötig', 'positive'],
  ['a', 'Sin cambios', 'positive'],
  ['a', '没问题', 'positive'],
  ['a', 'Approve, no changes needed', 'positive'],
])('a phrase takes precedence over its words: %s, "%s" is %s', (id, title, outcome) => {
  expect(outcomeOf({ id, title })).toEqual({ outcome, source: 'inferred' })
})

test.each([
  ['approve', 'Send back', 'neutral'], // id and title contradict each other
  ['a', 'Not wrong', 'neutral'],
  ['a', 'Escalate to legal', 'neutral'],
  ['a', 'Pass on this one', 'neutral'],
  ['a', 'Send back or approve', 'neutral'],
])('an uncertain action is neutral: %s, "%s"', (id, title, outcome) => {
  expect(outcomeOf({ id, title })).toEqual({ outcome, source: 'unknown' })
})

test('a declared outcome counts, except for the two built-in actions', () => {
  const declared = { title: 'Reject', outcome: 'positive' as const }
  expect(outcomeOf({ id: 'reject', ...declared })).toEqual({ outcome: 'positive', source: 'sender' })
  expect(outcomeOf({ id: 'service:reject-request', ...declared })).toEqual({
    outcome: 'negative',
    source: 'sender',
  })
})

test('what an admin set counts instead of the words, but not instead of what the sender declared', () => {
  const approve = { id: 'approve', title: 'Approve' }
  expect(outcomeOf(approve, 'negative')).toEqual({ outcome: 'negative', source: 'workspace' })
  expect(outcomeOf({ id: 'a', title: 'Escalate' }, 'neutral')).toEqual({
    outcome: 'neutral',
    source: 'workspace',
  })
  expect(outcomeOf({ ...approve, outcome: 'neutral' }, 'negative')).toEqual({
    outcome: 'neutral',
    source: 'sender',
  })
  for (const id of ['service:mark-done', 'service:reject-request'])
    expect(outcomeOf({ id, title: 'Done' }, 'positive')).toMatchObject({ source: 'sender' })
})
