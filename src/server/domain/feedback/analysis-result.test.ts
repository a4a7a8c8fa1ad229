import { expect, test } from 'vitest'
import { periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import { analysisResult } from './analysis-result.ts'
import type { CurrentVersion } from './current-version.ts'
import { createFigures } from './figures.ts'
import { healthOf } from './health.ts'
import { shareOf } from './proportions.ts'

test.each([
  ['explained', 'Different people answered the versions, which explains the difference.'],
  ['not-confirmed', 'Different people answered the versions, so a difference may come from them.'],
] as const)('with the verdict %s, reviewers are not blamed for more than was found', (verdict, text) => {
  const share = shareOf(20, 200)
  const current: CurrentVersion = {
    version: '2.0',
    newestAnswers: share,
    all: share,
    others: share,
    previous: share,
    verdict,
    difference: 0,
    pValue: 0.05,
    level: 0.035,
    testedWithin: ['reviewer'],
    explainedBy: 'reviewer',
    notSeparatedFrom: [],
    goBackTo: undefined,
  }
  const figures = { ...complete(createFigures().finish()), current }
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const { inconclusive } = analysisResult({ ...input, figures, health: healthOf(figures) }, () => true)
  expect(inconclusive.map(({ title }) => title)).toEqual(['The version and the reviewers'])
  expect(inconclusive[0]!.text).toContain(text)
})
