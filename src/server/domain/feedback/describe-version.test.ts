import { expect, test } from 'vitest'
import type { CurrentVersion } from './current-version.ts'
import { describeVersion } from './describe-version.ts'
import { shareOf } from './proportions.ts'

const current: CurrentVersion = {
  version: '2.0',
  newestAnswers: shareOf(20, 200),
  all: shareOf(20, 200),
  others: shareOf(20, 200),
  previous: shareOf(20, 200),
  verdict: 'no-difference',
  difference: 0,
  pValue: 0.5,
  level: 0.05,
  testedWithin: [],
  explainedBy: undefined,
  notSeparatedFrom: [],
  goBackTo: undefined,
}

test('with more versions to compare with, a larger difference is needed to be detected', () => {
  const detectable = (level: number) =>
    /difference of ([\d.]+)/.exec(describeVersion({ ...current, level }, (text) => text))![1]
  expect(Number(detectable(0.05))).toBe(8)
  expect(Number(detectable(0.01))).toBe(10)
})

test('what may be the cause instead of the version is named in a sentence', () => {
  const describe = (more: Partial<CurrentVersion>) =>
    describeVersion({ ...current, ...more }, (text) => `“${text}”`)
  expect(describe({ verdict: 'explained', explainedBy: 'weekend' })).toContain(
    'this is explained by the mix of weekdays and weekends: compared separately, the versions do not differ measurably.',
  )
  expect(describe({ verdict: 'worse', notSeparatedFrom: ['reviewer', 'context.region'] })).toContain(
    'The reviewers and “context.region” changed together with the version, so these answers cannot show which is the cause.',
  )
})

test('too few answers may be those to the other versions', () => {
  const few = { ...current, others: shareOf(1, 5), verdict: 'too-few' as const }
  expect(describeVersion(few, (text) => text)).toBe(
    'There are too few answers to compare version 2.0 with the others.',
  )
})
