import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { createRandom } from '../demo/random.ts'
import { analysisResult } from './analysis-result.ts'
import { createFigures } from './figures.ts'
import { findChanges } from './findings.ts'
import { healthOf } from './health.ts'
import { name } from './sanitize.ts'

test.each([
  [15, 60, '15 negative answers with text are too few to compare with'],
  [60, 1, '1 comment on other answers is too few to compare with'],
  [60, 0, 'there are no comments on other answers to compare with'],
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
  const figures = collected.finish()
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const given = { ...input, figures, health: healthOf(figures) }
  const found = findChanges(given, name).find(({ kind }) => kind === 'theme')!
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
  const figures = collected.finish()
  const input = { app: 'shop', type: 'refund', periodStart, periodEnd, urlOf: (id: string) => id }
  const found = findChanges({ ...input, figures, health: healthOf(figures) }, name)
  expect(found.find(({ kind }) => kind === 'field')?.title).toBe(
    'Tasks without a value in `context.orderNumber` get more negative answers',
  )
})
