import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import { createRandom } from '../demo/random.ts'
import { analysisResult } from './analysis-result.ts'
import { createFigures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { formatTables } from './format-figures.ts'
import { healthOf } from './health.ts'
import { nameSpan } from './sanitize.ts'

test.each([
  [15, 60, '15 negative answers with text are too few to compare with'],
  [60, 1, '1 other answer with text is too few to compare with'],
  [60, 0, 'there are no other answers with text to compare with'],
])('with %i negative texts and %i others, a theme says why it was not tested', (negative, others, why) => {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: negative + others,
    answer: (i) =>
      i < negative
        ? { actionId: 'reject', data: { reason: `The exchange rate is outdated ${i}` } }
        : { actionId: 'approve', data: { comment: `Fine ${i}` } },
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const given = { ...input, figures, health: healthOf(figures) }
  const found = deriveFindings(given, nameSpan).find(({ kind }) => kind === 'theme')!
  expect(found.evidence).toContain(`Counted, not tested: ${why}.`)
  const shown = analysisResult(given, () => true).findings.find(({ kind }) => kind === 'theme')!
  expect(shown).toMatchObject({ gain: negative, isGainAnUpperLimit: true })
})

test('a field whose absence gets more negative answers is named without a blank value', () => {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 200,
    answer: (i) =>
      i % 2 === 0
        ? { actionId: i % 4 === 0 ? 'reject' : 'approve', fields: {} }
        : { actionId: 'approve', fields: { 'context.orderNumber': 'known' } },
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const found = deriveFindings({ ...input, figures, health: healthOf(figures) }, nameSpan)
  expect(found.find(({ kind }) => kind === 'field')?.title).toBe(
    'Tasks without a value in `context.orderNumber` get more negative answers',
  )
})

test('too many negative answers are those to the version that runs now, as in the verdict', () => {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 30,
    answer: (i) => ({
      actionId: i >= 15 && i % 2 === 0 ? 'reject' : 'approve',
      version: i < 15 ? 'old' : 'new',
    }),
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const [found] = deriveFindings({ ...input, figures, health: healthOf(figures) }, nameSpan)
  expect(found).toMatchObject({ kind: 'unexplained' })
  expect(found!.evidence).toContain(' of 15 answers to the version that runs now.')
})

test('all versions that are not shown are counted', () => {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 60,
    answer: (i) => ({ actionId: 'approve', version: `1.${i}` }),
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  expect(formatTables({ ...input, figures, health: healthOf(figures) }, nameSpan)).toContain(
    '56 older versions not shown.',
  )
})

test('a release on a weekend is named as what cannot be separated from the version', () => {
  const collected = createFigures()
  // The last two days of the period are a weekend.
  const answers = generateAnswers({
    random: createRandom(1),
    n: 600,
    answer: (i) => ({
      actionId: (i >= 565 && i % 2 === 0) || i % 15 === 0 ? 'reject' : 'approve',
      version: i < 565 ? 'old' : 'new',
    }),
  }).filter(({ version, endedAt }) => (version === 'new') === [0, 6].includes(endedAt.getUTCDay()))
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const { inconclusive } = analysisResult({ ...input, figures, health: healthOf(figures) }, () => true)
  expect(inconclusive.map(({ title }) => title)).toContain('The version and the mix of weekdays and weekends')
})

test.each([
  ['has no effect on the version that runs now is not listed, although it was significant', 'approve', 0],
  ['also has an effect on the version that runs now is listed', 'reject', 1],
])('a field that %s', (_, newAnswer, count) => {
  const collected = createFigures()
  const answers = generateAnswers({
    random: createRandom(1),
    n: 200,
    answer: (i) => {
      const [country, version] = [i % 4 === 0 ? 'AT' : 'DE', i < 100 ? 'old' : 'new']
      const actionId = country === 'DE' ? 'approve' : version === 'old' ? 'reject' : newAnswer
      return { actionId, version, fields: { 'context.country': country } }
    },
  })
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  expect(figures.fieldEffects).toHaveLength(1)
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const found = deriveFindings({ ...input, figures, health: healthOf(figures) }, nameSpan)
  expect(found.filter(({ kind }) => kind === 'field')).toHaveLength(count)
})
