import { expect, test } from 'vitest'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatPercent, formatSeconds } from '../../lib/numbers.ts'
import { axisTicks } from './axis-ticks.ts'
import { barsOfDays } from './bars-of-days.ts'
import {
  summarizeActions,
  summarizeAgreement,
  summarizeAppsAndTypes,
  summarizeComparison,
  summarizeEdits,
  summarizeFormQuestion,
  summarizeInTime,
  summarizePositionBias,
  summarizeReasons,
  summarizeTimes,
  summarizeVersions,
} from './summaries.ts'

/** Replaces the non-breaking spaces before units. */
const withPlainSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

const share = (count: number, n: number) => ({ count, n, share: count / n, low: count / n / 2, high: 0.9 })
const version = (name: string, count: number, n: number, verdict: string, isNewest = false) =>
  ({ version: name, ...share(count, n), verdict, isNewest }) as Statistics['versions'][number]
const pair = (app: string, health: string) => ({ app, type: 'refund', health }) as Statistics['pairs'][number]

test('actions: names the most frequent action and the negative share', () => {
  const figures = {
    answers: 1_284,
    negative: share(182, 1_284),
    actions: [{ title: 'Approve\u202e', count: 806 }],
  }
  expect(withPlainSpaces(summarizeActions(figures as Statistics))).toBe(
    '806 of 1,284 answers (62.8 %) are “Approve[RLO]”. 14.2 % are negative.',
  )
})

test.each([
  [8, 0, 'All answers were automatic: at the deadline.'],
  [0, 3, 'All answers were automatic: by rules.'],
  [8, 3, 'All answers were automatic: at the deadline or by rules.'],
])('actions: without answers by people, %i timeouts and %i answers by rules', (timeouts, rules, text) => {
  expect(summarizeActions({ actions: [], answers: 0, timeouts, rules } as unknown as Statistics)).toBe(text)
})

test('times: names the median and the 90th percentile', () => {
  const figures = { medianSeconds: 372, p90Seconds: 2_460 } as Statistics
  expect(withPlainSpaces(summarizeTimes(figures))).toBe(
    'Half of the answers arrive within 6 min 12 s, nine in ten within 41 min.',
  )
})

test('pairs: names the unhealthy ones and leaves out those with too few answers', () => {
  expect(
    summarizeAppsAndTypes([pair('shop', 'not-healthy'), pair('books', 'healthy'), pair('new', 'too-few')]),
  ).toBe('Of 2 apps and types with enough answers, 1 is not healthy: shop / refund.')
  expect(summarizeAppsAndTypes([pair('new', 'too-few')])).toBe(
    'Too few answers to draw a conclusion: 10 are needed, counting only the current version.',
  )
})

test('versions: claims a difference only if the service found one', () => {
  const two = [version('2.0', 20, 30, 'worse', true), version('1.0', 3, 30, 'better')]
  expect(withPlainSpaces(summarizeVersions(two))).toBe(
    'Version 2.0 gets more negative answers than the others: 66.7 % against 10.0 %, which is statistically significant. Run a feedback analysis to see whether the version is the cause.',
  )
  const same = [
    { ...version('2.0', 5, 30, 'no-difference', true), detectable: 0.274 },
    { ...version('1.0', 3, 30, 'no-difference'), detectable: 0.274 },
  ]
  expect(summarizeVersions(same)).toBe(
    'No difference between versions was found. A difference of 28 points would probably have been detected.',
  )
  expect(summarizeVersions([version('2.0', 5, 3, 'too-few'), version('1.0', 1, 2, 'too-few')])).toBe(
    'Too few answers to draw a conclusion: 20 of a version and as many of the others are needed.',
  )
  // The filters may leave out the others.
  expect(summarizeVersions([version('2.0', 5, 30, 'too-few', true)])).toBe(
    'Version 2.0 is the only one with these filters, so there is nothing to compare.',
  )
})

test('shares in time: say how many were late and how many expired', () => {
  const inTime = (count: number, late: number, expired: number, hasMore = false) =>
    withPlainSpaces(
      summarizeInTime({
        tasks: { ...share(count, count + late + expired), late, expired },
        pairs: [],
        groups: [],
        people: [],
        hasMore,
      }),
    )
  expect(inTime(7, 2, 1)).toBe(
    '7 of 10 tasks with a target time (70.0 %) were answered in time. 2 were answered late, and 1 passed its deadline without a decision by people.',
  )
  expect(inTime(1, 0, 0)).toBe('The only task with a target time was answered in time.')
  expect(inTime(0, 1, 0)).toBe('The only task with a target time was answered late.')
  expect(inTime(0, 0, 1)).toBe(
    'The only task with a target time passed its deadline without a decision by people.',
  )
  expect(inTime(0, 0, 0)).toBe(
    'No task with a target time matches these filters, only answers to tasks that needed several.',
  )
  expect(inTime(1, 0, 2)).toContain('and 2 passed their deadlines without a decision by people.')
  expect(inTime(1, 1, 0, true)).toContain('1 of the newest 2 tasks')
})

test('agreement: a single task is not counted', () => {
  expect(summarizeAgreement({ ...share(1, 1), alpha: null })).toContain(
    'In the only task that several people answered, the first two answers chose the same action.',
  )
  expect(summarizeAgreement({ ...share(0, 1), alpha: 0 })).toContain('chose different actions.')
})

test('agreement: without different answers, nothing is said about chance', () => {
  expect(summarizeAgreement({ ...share(8, 8), alpha: null })).toContain(
    'These answers are all the same, so nothing can be said about chance.',
  )
})

test('win rates: says whether they exceed chance and whether the order matters', () => {
  const opus = {
    name: 'opus',
    count: 80,
    n: 120,
    share: 0.667,
    low: 0.58,
    high: 0.74,
    expected: 0.5,
    wins: true,
  }
  const comparison = { candidates: [opus], decided: 120, ties: 1 } as Parameters<
    typeof summarizeComparison
  >[0]
  expect(withPlainSpaces(summarizeComparison(comparison))).toBe(
    'opus wins 66.7 % of 120 decisions (58–74 %), more than the 50.0 % expected by chance. 1 tie excluded.',
  )
  const unsure = { ...comparison, ties: 0, candidates: [{ ...opus, wins: false }] }
  expect(summarizeComparison(unsure)).toContain("The difference isn't conclusive yet.")
  const rare = { ...opus, name: 'rare', count: 3, n: 3, share: 1, wins: false }
  expect(summarizeComparison({ ...comparison, candidates: [rare, opus] })).toMatch(/^opus wins/)
  expect(summarizeComparison({ ...unsure, candidates: [rare, ...unsure.candidates] })).toMatch(/^opus wins/)
  expect(summarizeComparison({ ...unsure, candidates: [rare] })).toMatch(/^rare wins/)
  expect(summarizeComparison({ ...comparison, candidates: [], decided: 0, ties: 3 })).toBe(
    'No candidate was preferred: 3 ties.',
  )
  expect(
    summarizePositionBias({
      known: true,
      n: 120,
      firstWins: 90,
      expected: 60.2,
      chance: 0.001,
      isBiased: true,
    }),
  ).toBe('Position bias: the first position won 90 of 120, expected 60. The order affects the result.')
  expect(summarizePositionBias({ known: false, why: 'too-few' })).toBe(
    'Position bias: too few decisions to draw a conclusion.',
  )
  expect(summarizePositionBias({ known: false, why: 'order-not-random' })).toBe(
    "Position bias: unknown, because the order wasn't random.",
  )
})

test('questions and reasons: name the most frequent one', () => {
  const question = { answers: 84, choices: [{ label: 'Too late', count: 46 }] }
  expect(summarizeFormQuestion(question as Parameters<typeof summarizeFormQuestion>[0])).toBe(
    '“Too late” was chosen most often: 46 of 84.',
  )
  const reason = { terms: ['parcel'], negative: 3, negativeTexts: 9, others: 1, otherTexts: 40, quotes: [] }
  const details = { reasons: [reason], reasonsAreTested: true } as unknown as Parameters<
    typeof summarizeReasons
  >[0]
  expect(summarizeReasons(details)).toBe(
    '“parcel” appears in 3 of 9 negative texts and in 1 of 40 others, which is statistically significant.',
  )
  expect(summarizeReasons({ ...details, reasonsAreTested: false })).toContain('Not tested for significance')
})

test.each([
  [0.4, '1 s'],
  [59.6, '1 min'],
  [3_599.7, '1 h'],
  [7_500, '2 h 5 min'],
  [45_000, '12 h'],
  [90_000, '1 d 1 h'],
])('%f seconds are %s', (seconds, text) => expect(withPlainSpaces(formatSeconds(seconds))).toBe(text))

test('percentages have one decimal, except 0 and 100', () => {
  expect([0, 0.086, 1].map(formatPercent).map(withPlainSpaces)).toEqual(['0 %', '8.6 %', '100 %'])
})

test('a long period is grouped by week without losing answers', () => {
  const days = Array.from({ length: 90 }, (_, n) => ({
    day: new Date(Date.UTC(2026, 7, 1 + n)).toISOString().slice(0, 10),
    answers: 3,
    negative: 1,
    byAction: [2],
    otherActions: 1,
  })) as Statistics['days']
  const weeks = barsOfDays(days)
  expect(weeks).toHaveLength(13)
  expect(weeks.at(-1)).toMatchObject({ from: '2026-10-23', to: '2026-10-29', answers: 21, values: [14, 7] })
  expect(weeks[0]).toMatchObject({ from: '2026-08-01', to: '2026-08-06', answers: 18 })
  expect(barsOfDays(days.slice(0, 30))).toHaveLength(30)
})

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [63, [0, 20, 40, 60, 80]],
  [1_284, [0, 500, 1_000, 1_500]],
])('an axis up to %i has round ticks', (largest, steps) => expect(axisTicks(largest)).toEqual(steps))

test('edits: names the shares of the answers with prefilled fields', () => {
  expect(withPlainSpaces(summarizeEdits({ unchanged: 6, light: 3, heavy: 1 }))).toBe(
    'Of 10 answers with prefilled fields, 60.0 % left them unchanged, 30.0 % changed less than a fifth of their words, and 10.0 % changed more.',
  )
})
