import { expect, test } from 'vitest'
import type { AnalysisFinding, AnalysisResult, GivenAdvice } from '../../../contract/feedback-analysis.ts'
import { complete } from '../../lib/event-loop.ts'
import { basisOf, judgeEarlierAdvice } from './earlier-advice.ts'
import type { Figures } from './figures.ts'
import { adviceWithoutEffect, formatEarlierAdvice } from './format-advice.ts'
import { differenceInterval } from './proportions.ts'
import { termsOf } from './terms.ts'

const day = 24 * 3600 * 1000
const givenAt = new Date('2026-10-12T00:00:00.000Z')
const now = new Date('2026-11-12T00:00:00.000Z')
const always = { now, retentionDays: null }
const trait = { field: 'context.region', value: 'EU' }

/** `bad` of `n` answers to the version are negative and have the trait. */
function answers(version: string | null, bad: number, n: number, createdAt = givenAt.getTime() + day) {
  return Array.from({ length: n }, (_, i) => ({
    ...{
      taskId: `${version}-${i}`,
      name: '',
      version,
      createdAt,
      day: 0,
      reviewer: 'a',
      choices: [],
      hasContent: true,
    },
    ...{ isNegative: i < bad, isPositive: i >= bad },
    fields: { 'context.region': i < bad ? 'EU' : 'US' },
  }))
}

/** The version that runs now is that of the first answers. */
const figuresOf = (...observations: ReturnType<typeof answers>) =>
  ({
    observations,
    answers: observations.length,
    current: { version: observations[0]!.version },
  }) as unknown as Figures

const finding = (more: Partial<AnalysisFinding> = {}): AnalysisFinding => ({
  ...{ kind: 'field', title: 'Tasks with “EU”', evidence: '', advice: 'Find out why.', gain: 36 },
  ...{ forMembersOnly: false, quotes: [], taskCount: 40, taskIds: [], taskPairs: [] },
  basis: basisOf(trait, figuresOf(...answers('1', 40, 200))),
  ...more,
})

function run(findings: AnalysisFinding[], earlierAdvice: GivenAdvice[] = [], endedAt = givenAt) {
  const result = { version: '1', findings, earlierAdvice } as unknown as AnalysisResult
  return { endedAt, isHealthy: false, result }
}

const judgedOf = (...given: Parameters<typeof judgeEarlierAdvice>) => complete(judgeEarlierAdvice(...given))

const judged = (...observations: ReturnType<typeof answers>) =>
  judgedOf(run([finding()]), figuresOf(...observations), always)[0]!

test('the interval for a difference of two shares is that of Newcombe', () => {
  // Newcombe 1998, Statistics in Medicine 17:873, table II, method 10.
  for (const [one, other, low, high] of [
    [{ count: 56, n: 70 }, { count: 48, n: 80 }, 0.0524, 0.3339],
    [{ count: 9, n: 10 }, { count: 3, n: 10 }, 0.1705, 0.809],
    [{ count: 10, n: 10 }, { count: 0, n: 20 }, 0.6791, 1],
  ] as const) {
    const interval = differenceInterval(one, other)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  }
})

test('advice worked if negative answers fell by at least half of what was predicted', () => {
  expect(judged(...answers('2', 4, 200))).toEqual({
    ...{ givenAt: givenAt.toISOString(), kind: 'field', title: 'Tasks with “EU”', advice: 'Find out why.' },
    ...{ version: '1', nextVersion: '2', predicted: -36, result: 'worked' },
    basis: { trait, count: 40, n: 200, answers: 200 },
    seen: { change: -36, low: -48, high: -24 },
  })
})

test('less than predicted: they fell, but by less than half of it', () => {
  expect(judged(...answers('2', 260, 2_000))).toMatchObject({
    result: 'less-than-predicted',
    seen: { change: -14 },
  })
})

test('no effect seen: the interval excludes half of the prediction, or they rose', () => {
  expect(judged(...answers('2', 400, 2_000))).toMatchObject({ result: 'no-effect-seen', seen: { change: 0 } })
  expect(judged(...answers('2', 150, 200)).result).toBe('no-effect-seen')
})

test('fewer than 20 answers to the later version are too few, and so are those that could hide the predicted effect', () => {
  expect(judged(...answers('2', 36, 200))).toMatchObject({ result: 'too-few-answers', seen: { change: -4 } })
  expect(judged(...answers('2', 0, 19))).toMatchObject({ nextVersion: '2', result: 'too-few-answers' })
  expect(judged(...answers('2', 0, 20)).result).not.toBe('too-few-answers')
})

test('answers whose content was deleted are not counted among the 20, except for advice about a version', () => {
  const withoutContent = answers('2', 0, 20).map((one, i) => ({ ...one, hasContent: i > 0 }))
  const { result, seen } = judged(...withoutContent)
  expect({ result, seen }).toEqual({ result: 'too-few-answers', seen: undefined })
  const basis = basisOf({ version: '1' }, figuresOf(...answers('1', 40, 200)))
  const [advice] = judgedOf(run([finding({ kind: 'version', basis })]), figuresOf(...withoutContent), always)
  expect(advice!.seen).toBeDefined()
})

test('not tried: the same version runs, or the one that runs now began before the advice', () => {
  expect(judged(...answers('1', 0, 200))).toMatchObject({ result: 'not-tried' })
  const [first, ...rest] = answers('0', 0, 200)
  expect(judged(first!, ...rest, ...answers('0', 0, 1, givenAt.getTime() - day)).result).toBe('not-tried')
  const unversioned = run([finding()])
  unversioned.result.version = null
  expect(judgedOf(unversioned, figuresOf(...answers(null, 0, 200)), always)[0]!.result).toBe('not-tried')
})

test('advice about a version compares all negative answers, and going back counts', () => {
  const basis = basisOf({ version: '2' }, figuresOf(...answers('2', 60, 100), ...answers('1', 5, 100)))
  expect(basis).toEqual({ trait: { version: '2' }, count: 60, n: 100, answers: 200 })
  const advised = run([finding({ kind: 'version', gain: 110, basis })])
  advised.result.version = '2'
  const judge = (...observations: ReturnType<typeof answers>) =>
    judgedOf(advised, figuresOf(...observations), always)[0]!
  // As bad as before, although no answer is to version 2.
  expect(judge(...answers('3', 60, 100)).result).toBe('no-effect-seen')
  const back = [...answers('1', 5, 100), ...answers('1', 5, 100, givenAt.getTime() - day)]
  expect(judge(...back)).toMatchObject({ result: 'worked', nextVersion: '1', seen: { change: -110 } })
})

test('advice about a theme counts negative texts that mention it', () => {
  const theme = { terms: ['#photo'] }
  const texts = (version: string, bad: number, n: number) =>
    answers(version, bad, n).map((one) => ({
      ...one,
      ...(one.isNegative && { terms: termsOf('The picture is missing') }),
    }))
  const basis = basisOf(theme, figuresOf(...texts('1', 40, 200)))
  expect(basis).toEqual({ trait: theme, count: 40, n: 200, answers: 200 })
  const [advice] = judgedOf(
    run([finding({ kind: 'theme', basis })]),
    figuresOf(...texts('2', 4, 200)),
    always,
  )
  expect(advice).toMatchObject({ kind: 'theme', nextVersion: '2', result: 'worked' })
})

test('advice is kept if something had to change, or if it was about five answers, and its gain is not only a limit', () => {
  const healthy = { ...run([finding({ gain: 4 }), finding({ gain: 5, kind: 'choice' })]), isHealthy: true }
  const kindsOf = (given: typeof healthy) =>
    judgedOf(given, figuresOf(...answers('1', 0, 20)), always).map(({ kind }) => kind)
  expect(kindsOf(healthy)).toEqual(['choice'])
  expect(kindsOf({ ...healthy, isHealthy: false })).toEqual(['field', 'choice'])
  const limit = finding({ isGainAnUpperLimit: true })
  expect(kindsOf({ ...run([limit]), isHealthy: false })).toEqual([])
  const { gain: _, ...unknown } = finding()
  expect(kindsOf({ ...run([unknown]), isHealthy: false })).toEqual([])
})

test('advice is carried over from run to run with its first date, once per cause', () => {
  const second = judgedOf(run([finding()]), figuresOf(...answers('2', 38, 200)), always)
  const later = new Date(givenAt.getTime() + 10 * day)
  const again = run([finding({ title: 'Again' }), finding({ kind: 'choice' })], second, later)
  const third = judgedOf(again, figuresOf(...answers('3', 0, 200, later.getTime() + 1)), always)
  expect(third.map(({ kind, givenAt, title }) => [kind, givenAt, title])).toEqual([
    ['choice', later.toISOString(), 'Tasks with “EU”'],
    ['field', givenAt.toISOString(), 'Tasks with “EU”'],
  ])
  expect(third[1]).toMatchObject({ version: '1', nextVersion: '3', result: 'worked' })
})

test('at most 20 pieces of advice, the newest, none older than 180 days or the retention period', () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    finding({ basis: { ...finding().basis!, trait: { ...trait, value: String(i) } } }),
  )
  const figures = figuresOf(...answers('1', 0, 20))
  expect(judgedOf(run(many), figures, always)).toHaveLength(20)
  const later = (days: number) => new Date(givenAt.getTime() + days * day)
  const kept = (days: number, retentionDays: number | null) =>
    judgedOf(run([finding()]), figures, { now: later(days), retentionDays }).length
  expect([kept(180, null), kept(181, null), kept(30, 30), kept(31, 30)]).toEqual([1, 0, 1, 0])
  expect(judgedOf(undefined, figures, always)).toEqual([])
})

test('the texts count the results, and show names of senders to agents in the data block only', () => {
  const advice = [judged(...answers('2', 4, 200)), judged(...answers('2', 400, 2_000))]
  const [paragraph] = formatEarlierAdvice([...advice, judged(...answers('1', 0, 9))])
  expect(paragraph).toContain('Of 3 pieces of advice, 1 worked, 1 showed no improvement, 1 was not tried.')
  expect(paragraph).toContain(
    '- `Tasks with “EU”` (2026-10-12): −36 negative answers per 30 days (95 % interval −48 to −24), predicted −36.',
  )
  expect(formatEarlierAdvice([])).toEqual([])
  expect(adviceWithoutEffect(advice)).toEqual({
    lines: [
      'The finding L.1 in the data block was reported on 2026-10-12. The version that runs now does not improve it: choose a different fix.',
    ],
    data: ['L.1: Tasks with “EU”'],
  })
})
