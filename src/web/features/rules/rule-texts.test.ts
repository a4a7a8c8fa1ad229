import { expect, test } from 'vitest'
import { describeDaysUntil, describeEntry, describePause } from './rule-texts.ts'

const at = '2026-11-12T16:20:00.000Z'
const judged = Array.from({ length: 59 }, (_, n) => ({
  at: new Date(Date.parse(at) + n * 60_000).toISOString(),
  agrees: ![44, 49, 53, 58].includes(n),
}))
const disagreement = (n: number, version: string) => ({ at: judged[n]!.at, version }) as never
const paused = {
  pausedAt: at,
  allowedDisagreement: 0.02,
  until: '2026-11-12T00:00:00.000Z',
  samples: { open: 0, answered: 59, agreed: 55, atLeast: 0.85 },
  judged,
  disagreements: [44, 49, 53, 58].map((n) => disagreement(n, '0.9.0')),
}

test('every reason to pause is one sentence', () => {
  const why = (pausedBecause: Parameters<typeof describePause>[0]['pausedBecause']) =>
    describePause({ ...paused, pausedBecause }, 'Mara').why.replaceAll('\u00a0', ' ')
  expect(why('disagreement')).toBe('People disagreed with 4 samples of 59, more often than the allowed 2 %.')
  expect(why('recentChange')).toBe('People disagreed with 4 of the last 15 samples, all with version 0.9.0.')
  expect(why('formChanged')).toBe("Its answer didn't fit the form that an agent sent.")
  expect(why('untilReached')).toMatch(/^Its time ended on /)
  expect(why('person')).toBe('')
})

test('the reason to pause stays true after the evidence was reset or the end was moved', () => {
  const samples = { open: 0, answered: 0, agreed: 0, atLeast: 0 }
  const changed = { ...paused, samples, judged: [], disagreements: [], until: '2027-01-20T12:00:00.000Z' }
  const why = (pausedBecause: Parameters<typeof describePause>[0]['pausedBecause']) =>
    describePause({ ...changed, pausedBecause }, undefined).why
  expect(why('disagreement')).toBe('People disagreed too often; its evidence has been reset since.')
  expect(why('recentChange')).toBe('People disagreed too often recently; its evidence has been reset since.')
  expect(why('untilReached')).toMatch(/^Its time was over, but its end has been moved to /)
})

test('it says whether the rule paused itself or a person paused it', () => {
  expect(describePause({ ...paused, pausedBecause: 'disagreement' }, undefined).when).toMatch(
    /^Paused itself on .*(12 November|November 12).* at /,
  )
  expect(describePause({ ...paused, pausedBecause: 'person' }, 'Mara').when).toMatch(/^Paused by Mara on /)
  expect(describePause({ ...paused, pausedBecause: 'person' }, undefined).when).toMatch(/^Paused on /)
})

test('a version is named only if all recent disagreements have it', () => {
  const disagreements = [disagreement(44, '0.8.0'), disagreement(58, '0.9.0')]
  expect(describePause({ ...paused, pausedBecause: 'recentChange', disagreements }, undefined).why).toBe(
    'People disagreed with 4 of the last 15 samples.',
  )
})

test.each([
  ['rule.created', {}, 'Mara created it'],
  ['rule.changed', { fields: ['until'] }, 'Mara moved its end'],
  ['rule.changed', { fields: ['when', 'sample'] }, 'Mara changed its conditions and share for people'],
  ['rule.changed', {}, 'Mara changed it'],
  ['rule.paused', { because: 'recentChange' }, 'Paused itself: too many recent disagreements'],
  ['rule.paused', { because: 'person' }, 'Mara paused it'],
  ['rule.resumed', {}, 'Mara resumed it'],
  ['rule.ended', {}, 'Mara ended it'],
  ['rule.version_passed', { version: 'beta' }, 'beta passed: 59 answers in a row agreed'],
  ['rule.version_passed', { version: '' }, 'Tasks without a version passed: 59 answers in a row agreed'],
])('%s with %o is “%s”', (action, details, text) => {
  expect(describeEntry({ at, action, details }, 'Mara')).toBe(text)
})

test('the days until the end are calendar days, at any time of the day', () => {
  const until = new Date(2026, 10, 20, 23, 59, 59).toISOString()
  for (const hour of [0, 9, 15, 23]) {
    const days = [17, 19, 20, 21].map((day) =>
      describeDaysUntil(until, new Date(2026, 10, day, hour, 30).getTime()),
    )
    expect(days).toEqual(['3 days', '1 day', 'today', '1 day ago'])
  }
})
