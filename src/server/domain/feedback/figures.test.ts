import { describe, expect, test } from 'vitest'
import {
  approve,
  generateAnswers,
  periodEnd,
  periodStart,
  randomRemark,
  reject,
} from '../../../../test/support/generated-answers.ts'
import { complete } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createRandom, type Random } from '../demo/random.ts'
import { createFigures, type Figures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { healthOf } from './health.ts'
import { nameSpan } from './sanitize.ts'

const pick: StoredAction = {
  id: 'pick',
  title: 'Pick',
  schema: { type: 'object', properties: { winner: { type: 'string', enum: ['a', 'b', 'c'] } } },
}

function figuresOf(answers: AnalyzedAnswer[]): Figures {
  const collected = createFigures()
  for (const answer of answers) collected.add(answer)
  return complete(collected.finish())
}

const setsOf = (n: number, make: (random: Random) => AnalyzedAnswer[]): Figures[] =>
  Array.from({ length: n }, (_, i) => figuresOf(make(createRandom(1_000 + i))))

/** In how many percent of 40 sets of answers the analysis finds it. */
const percentFound = (
  make: (random: Random) => AnalyzedAnswer[],
  isFound: (figures: Figures) => boolean,
): number => setsOf(40, make).filter(isFound).length / 0.4

type Plant = { worseBy?: number; rise?: number; theme?: number; n?: number }

/** Four versions one after the other, a text with every answer. */
function reviewed(random: Random, { worseBy = 0, rise = 0, theme = 0, n = 400 }: Plant): AnalyzedAnswer[] {
  return generateAnswers({
    random,
    n,
    answer: (_, share) => {
      const version = `1.${Math.floor(share * 4)}`
      const negative = random.chance(0.15 + rise * share + (version === '1.3' ? worseBy : 0))
      const talk = randomRemark(random)
      if (!negative) return { actionId: 'approve', version, data: { comment: talk } }
      const reason = random.chance(theme) ? `The exchange rate is outdated. ${talk}` : talk
      return { actionId: 'reject', version, data: { reason } }
    },
  })
}

/** Three candidates in any order; `a` is the best. With `bias` the first position is chosen regardless. */
function compared(random: Random, bias: number, alwaysSameOrder = false, merit = 0.5): AnalyzedAnswer[] {
  return generateAnswers({
    random,
    n: 300,
    actions: [pick],
    answer: () => {
      const order = alwaysSameOrder ? [0, 1, 2] : [0, 1, 2].sort(() => random.next() - 0.5)
      const best = random.chance(merit) ? 0 : random.chance(0.5) ? 1 : 2
      const winner = random.chance(bias) ? order[0]! : best
      return {
        actionId: 'pick',
        data: { winner: ['a', 'b', 'c'][winner]! },
        candidates: { answers: ['a', 'b', 'c'].map((name) => ({ name, ours: false })) },
        presented: { answers: { order, blind: true } },
      }
    },
  })
}

const someVersionDiffers = ({ versions }: Figures) =>
  versions.some(({ verdict }) => verdict === 'worse' || verdict === 'better')
const winnersAre =
  (wanted: string) =>
  ({ comparisons }: Figures) =>
    comparisons[0]!.candidates
      .filter(({ wins }) => wins)
      .map(({ name }) => name)
      .join() === wanted
const about = { app: 'shop', type: 'review', periodStart, periodEnd, urlOf: (id: string) => id }
const isBiased = ({ comparisons }: Figures) =>
  comparisons.some(({ position }) => position.known && position.isBiased)

describe('real effects are found', () => {
  test('a newest version that is worse by 20 points is the only one called worse', () => {
    const found = percentFound(
      (random) => reviewed(random, { worseBy: 0.2 }),
      ({ versions }) =>
        versions
          .filter(({ verdict }) => verdict === 'worse')
          .map(({ version }) => version)
          .join() === '1.3',
    )
    expect(found).toBeGreaterThanOrEqual(80)
  })
  test('what a third of the negative texts have in common, with cases that show it', () => {
    const found = percentFound(
      (random) => reviewed(random, { theme: 0.35 }),
      ({ texts: { themes } }) =>
        themes.length > 0 &&
        themes[0]!.words.some((word) => /exchange|outdated/.test(word)) &&
        themes[0]!.quotes.length >= 2 &&
        themes[0]!.quotes.every(
          ({ text, taskId }) => text.includes('exchange rate') && taskId.startsWith('tsk_'),
        ),
    )
    expect(found).toBeGreaterThanOrEqual(95)
  })
  test('a first position that wins 20 points more than it deserves', () => {
    expect(percentFound((random) => compared(random, 0.25), isBiased)).toBeGreaterThanOrEqual(90)
  })
  test('a share that rises from 15 to 40 % over the month, at 20 answers per day', () => {
    const found = percentFound(
      (random) => reviewed(random, { rise: 0.25, n: 600 }),
      ({ trend }) => trend?.direction === 'rises',
    )
    expect(found).toBeGreaterThanOrEqual(90)
  })
  test('a candidate that wins half of the decisions between three', () => {
    const found = percentFound((random) => compared(random, 0), winnersAre('a'))
    expect(found).toBeGreaterThanOrEqual(95)
  })
})

// docs/feedback-analysis.md promises these levels; with 100 sets the tests can only rule out about
// twice as much.
describe('effects that do not exist are not claimed', () => {
  const nothingPlanted = setsOf(100, (random) => reviewed(random, {}))
  test.each<[string, number, (figures: Figures) => boolean]>([
    ['a version', 5, someVersionDiffers],
    ['a trend', 1, ({ trend }) => trend !== undefined],
    ['a theme', 1, ({ texts }) => texts.themes.length > 0],
  ])('%s: in %i of 100 analyses', (_, level, claimed) => {
    expect(nothingPlanted.filter(claimed).length).toBeLessThanOrEqual(2 * level)
  })
  test('an order that decides: in 1 of 100', () => {
    const figures = setsOf(100, (random) => compared(random, 0))
    expect(figures.filter(isBiased).length).toBeLessThanOrEqual(2)
  })
  test('a winner among three equal candidates: in 5 of 100', () => {
    const figures = setsOf(100, (random) => compared(random, 0, false, 1 / 3))
    const found = figures.filter(({ comparisons }) => comparisons[0]!.candidates.some(({ wins }) => wins))
    expect(found.length).toBeLessThanOrEqual(10)
  })
  test('words that only rejections can contain are counted and never called more frequent than by chance', () => {
    const evidence = setsOf(20, (random) =>
      generateAnswers({
        random,
        n: 200,
        answer: () =>
          random.chance(0.3)
            ? { actionId: 'reject', data: { reason: randomRemark(random) } }
            : { actionId: 'approve' },
      }),
    ).flatMap((figures) =>
      deriveFindings({ ...about, figures, health: healthOf(figures) }, nameSpan)
        .filter(({ kind }) => kind === 'theme')
        .map((theme) => theme.evidence),
    )
    expect(evidence.length).toBeGreaterThan(0)
    for (const text of evidence) expect(text).toMatch(/Counted, not tested/)
  })
  test('an order that decides, if it is always the same and the best is shown first', () => {
    const { comparisons } = figuresOf(compared(createRandom(1), 0, true))
    expect(comparisons[0]!.position).toEqual({ known: false, why: 'order-never-changed' })
    expect(comparisons[0]!.candidates[0]).toMatchObject({ name: 'a', n: 300 })
  })
  test('that the order never changed, if one candidate won in any position', () => {
    const { position, candidates } = figuresOf(compared(createRandom(1), 0, false, 1)).comparisons[0]!
    expect(candidates[0]).toMatchObject({ name: 'a', count: 300, n: 300 })
    expect(position).toMatchObject({ known: true, n: 300, isBiased: false, pValue: 1 })
  })
  test('anything about a version with fewer than 20 answers', () => {
    const answers = generateAnswers({
      random: createRandom(1),
      n: 200,
      answer: (i) =>
        i >= 185 ? { actionId: 'reject', version: 'new' } : { actionId: 'approve', version: 'old' },
    })
    const figures = figuresOf(answers)
    expect(figures.versions).toMatchObject([
      { version: 'new', isNewest: true, verdict: 'too-few', count: 15, n: 15 },
      { version: 'old', verdict: 'too-few' },
    ])
  })
})

describe('health is computed from counts', () => {
  const some = (n: number, negative: number) =>
    figuresOf(
      generateAnswers({
        random: createRandom(1),
        n,
        // The newest are the negative ones.
        answer: (i) => ({ actionId: n - i <= negative ? 'reject' : 'approve' }),
      }),
    )
  test.each([
    [9, 9, { isHealthy: true, tooFew: true }],
    [10, 0, { isHealthy: true, tooFew: false }],
    // The exact lower bound of 4 of 10 is 12.2 %, of 3 of 10 it is 6.7 %.
    [10, 3, { isHealthy: true, tooFew: false }],
    [10, 4, { isHealthy: false, tooNegative: true }],
    // Of many answers the newest 200 count.
    [1_000, 29, { isHealthy: true }],
    [1_000, 30, { isHealthy: false, tooNegative: true }],
  ])('%i answers, %i of them negative', (n, negative, health) => {
    expect(healthOf(some(n, negative))).toMatchObject(health)
  })
  test('decisions by timeout are not feedback, whatever they chose', () => {
    const answers = generateAnswers({
      random: createRandom(1),
      n: 100,
      answer: (i) => ({ actionId: i < 50 ? 'reject' : 'approve', decidedBy: i < 50 ? 'timeout' : 'human' }),
    })
    expect(figuresOf(answers)).toMatchObject({ answers: 50, timeouts: 50, negative: { count: 0 } })
  })
})

test('choices are counted by label, also with several per answer, and numbers have a median', () => {
  const form: StoredAction = {
    id: 'rate',
    title: 'Rate',
    schema: {
      type: 'object',
      properties: {
        verdict: { type: 'string', title: 'Verdict', enum: ['g', 'b'], enumNames: ['Good', 'Bad'] },
        flaws: {
          type: 'array',
          items: {
            type: 'string',
            oneOf: [
              { const: 't', title: 'Tone' },
              { const: 'l', title: 'Length' },
            ],
          },
        },
        stars: { type: 'integer', title: 'Stars' },
        urgent: { type: 'boolean' },
        when: { type: 'string', format: 'date' },
      },
    },
  }
  const answers = generateAnswers({
    random: createRandom(1),
    n: 10,
    actions: [form],
    answer: (i) => ({
      actionId: 'rate',
      data: {
        verdict: i < 7 ? 'g' : 'b',
        flaws: i < 2 ? ['t', 'l'] : ['t'],
        stars: i,
        urgent: i === 0,
        when: '2026-01-01',
      },
    }),
  })
  expect(figuresOf(answers).formFields).toEqual([
    expect.objectContaining({
      field: 'verdict',
      title: 'Verdict',
      answers: 10,
      choices: [
        { label: 'Good', count: 7 },
        { label: 'Bad', count: 3 },
      ],
    }),
    expect.objectContaining({
      field: 'flaws',
      answers: 10,
      choices: [
        { label: 'Tone', count: 10 },
        { label: 'Length', count: 2 },
      ],
    }),
    expect.objectContaining({
      field: 'stars',
      answers: 10,
      numbers: { lowest: 0, median: 4, highest: 9, mean: 4.5 },
    }),
    expect.objectContaining({
      field: 'urgent',
      choices: [
        { label: 'No', count: 9 },
        { label: 'Yes', count: 1 },
      ],
    }),
  ])
})

test('a prefilled text is not a text of the person, also if they edited it', () => {
  const send: StoredAction = {
    id: 'send',
    title: 'Send',
    outcome: 'negative',
    schema: { type: 'object', properties: { body: { type: 'string' }, comment: { type: 'string' } } },
    ui: { body: { 'ui:options': { prefill: 'draft' } } },
  }
  const answers = generateAnswers({
    random: createRandom(1),
    n: 40,
    actions: [send],
    answer: (i) => ({
      actionId: 'send',
      version: '1.0',
      data: { body: `The parcel left our warehouse ${i}`, comment: 'Too many apologies' },
    }),
  })
  const { versions, texts } = figuresOf(answers)
  expect(JSON.stringify({ versions, texts })).toContain('Too many apologies')
  expect(JSON.stringify({ versions, texts })).not.toContain('warehouse')
})

test('a declared outcome takes precedence over the name of the action', () => {
  const answers = generateAnswers({
    random: createRandom(1),
    n: 4,
    actions: [
      { ...approve, outcome: 'negative' },
      { ...reject, outcome: 'positive' },
    ],
    answer: (i) => ({ actionId: i === 0 ? 'approve' : 'reject' }),
  })
  expect(figuresOf(answers)).toMatchObject({ negative: { count: 1 }, positive: { count: 3 } })
})

describe('hostile answers', () => {
  test('more distinct words than the limit cost no more memory', () => {
    const collected = createFigures()
    const random = createRandom(1)
    const answers = generateAnswers({
      random,
      n: 5_200,
      // Each text twice, so that no word of it is unique.
      answer: (i) => ({
        actionId: i % 3 ? 'approve' : 'reject',
        data: {
          [i % 3 ? 'comment' : 'reason']: Array.from(
            { length: 120 },
            (_, n) => `w${Math.floor(i / 2)}x${n}`,
          ).join(' '),
        },
      }),
    })
    for (const answer of answers) collected.add(answer)
    expect(complete(collected.finish())).toMatchObject({ answers: 5_200, texts: { themes: [] } })
  })
  test('different forms in every task, overlong words and fields without a name do not grow memory', () => {
    const answers = generateAnswers({
      random: createRandom(1),
      n: 2_200,
      answer: (i) => ({
        actionId: 'reject',
        actions: [
          {
            id: 'reject',
            title: 'Reject',
            schema: {
              type: 'object',
              properties: {
                [`field${i}`]: { type: 'boolean' },
                reason: { type: 'string', title: 'Why?' },
              },
            },
          },
        ],
        data: { [`field${i}`]: true, reason: 'a'.repeat(10_000) },
        candidates: { list: [] },
      }),
    })
    const { formFields: questions, texts } = figuresOf(answers)
    expect(questions).toHaveLength(20)
    expect(texts.themes).toEqual([])
    expect(texts.examples[0]!.text.length).toBeLessThan(250)
  })
})
