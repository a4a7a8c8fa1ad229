import { expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createRandom } from '../demo/random.ts'
import { createFigures, type Figures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { formatCounts } from './format-figures.ts'
import { healthOf } from './health.ts'
import { nameSpan } from './sanitize.ts'

const category = { type: 'string', title: 'Category', enum: ['late', 'broken'] }
const actions: StoredAction[] = ['approve', 'reject'].map((id) => ({
  id,
  title: id === 'approve' ? 'Approve' : 'Reject',
  schema: { type: 'object', properties: { category, comment: { type: 'string' } } },
}))

function figuresOf(answers: AnalyzedAnswer[], expired = 0): Figures {
  const collected = createFigures()
  for (const answer of answers) collected.add(answer)
  return complete(collected.finish(expired))
}

/** 40 tasks of 240 are rejected at once, 20 of each version; the others are mostly approved one by one. */
const withBulk = (bulkIdOf: (i: number) => string | null) =>
  generateAnswers({
    random: createRandom(1),
    n: 240,
    actions,
    answer: (i) =>
      i >= 100 && i < 140
        ? {
            ...{ actionId: 'reject', version: i < 120 ? '1.0' : '1.1', bulkId: bulkIdOf(i) },
            data: { category: 'broken', comment: 'The supplier has gone bankrupt' },
          }
        : {
            ...{ actionId: i % 24 === 0 ? 'reject' : 'approve', version: i < 120 ? '1.0' : '1.1' },
            data: { category: Math.floor(i / 24) % 2 ? 'late' : 'broken', comment: `Parcel number ${i}` },
          },
  })

test('a bulk answer is one observation per version and action, and every task of it is counted', () => {
  const figures = figuresOf(withBulk(() => 'bulk-1'))
  expect(figures).toMatchObject({ answers: 240, repeats: 38, negative: { count: 49, n: 240 } })
  expect(figures.current).toMatchObject({ version: '1.1', all: { n: 101 }, others: { n: 101 } })
  expect(figures.versions.map(({ n }) => n)).toEqual([120, 120])
  expect(figures.texts.negativeTexts).toBe(11)
  expect(healthOf(figures)).toMatchObject({ isHealthy: true })
  expect(healthOf(figuresOf(withBulk(() => null)))).toMatchObject({ isHealthy: false, tooNegative: true })
  expect(figuresOf(withBulk((i) => `bulk-${i}`)).repeats).toBe(0)
})

test('different actions of one bulk answer are different observations', () => {
  const answers = withBulk(() => 'bulk-1').map((answer, i) =>
    answer.bulkId !== null && i % 2 ? { ...answer, actionId: 'approve', actionTitle: 'Approve' } : answer,
  )
  expect(figuresOf(answers).repeats).toBe(36)
})

test('choices of a bulk answer are counted, and contrasted once', () => {
  const findings = (figures: Figures) =>
    deriveFindings(
      {
        ...{ app: 'shop', type: 'refund', periodStart, periodEnd, figures },
        ...{ health: healthOf(figures), urlOf: (id: string) => id },
      },
      nameSpan,
    ).map(({ title }) => title)
  const figures = figuresOf(withBulk(() => 'bulk-1'))
  const chosen = '`broken` is chosen more often with `Reject`'
  expect(findings(figuresOf(withBulk(() => null)))).toContain(chosen)
  expect(findings(figures)).not.toContain(chosen)
  expect(figures.formFields.find(({ actionId }) => actionId === 'reject')).toMatchObject({
    answers: 49,
    choices: [
      { label: 'broken', count: 45 },
      { label: 'late', count: 4 },
    ],
  })
})

test('a bulk answer on one day is no trend', () => {
  const answers = generateAnswers({
    random: createRandom(1),
    n: 200,
    answer: (i) => ({ actionId: i >= 180 ? 'reject' : 'approve', bulkId: i >= 180 ? 'bulk-1' : null }),
  })
  expect(figuresOf(answers).trend).toBeUndefined()
  expect(figuresOf(answers.map((answer) => ({ ...answer, bulkId: null }))).trend).toBeDefined()
})

test('the summary says how many tasks ended without an answer and how many answers repeat a bulk answer', () => {
  const answers = withBulk(() => 'bulk-1').map((answer, i) =>
    i < 6 ? { ...answer, decidedBy: 'timeout' as const } : answer,
  )
  const figures = figuresOf(answers, 12)
  const text = formatCounts(
    {
      ...{ app: 'shop', type: 'refund', periodStart, periodEnd, figures },
      ...{ health: healthOf(figures), urlOf: (id: string) => id },
    },
    nameSpan,
    false,
  )
  expect(text).toContain('Of 252 tasks: 234 answered by people, 6 decided by timeout, 12 expired.')
  expect(text).toContain('38 answers repeat one that was given to several tasks at once.')
})
