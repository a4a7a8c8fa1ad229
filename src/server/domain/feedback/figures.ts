import type { Outcome } from '../../../contract/action.ts'
import type { CountedAction } from '../../../contract/action-outcome.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { complete, type Slices } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnswerRow } from '../../storage/feedback/answers.ts'
import { type Comparison, createComparisons } from './comparisons.ts'
import { type CurrentVersion, judgeCurrentVersion } from './current-version.ts'
import { addTo, type Buckets, bucketOf, quantileOf } from './durations.ts'
import { tabulate } from './factor-tests.ts'
import { type FieldEffect, findFieldEffects } from './field-effects.ts'
import { fieldsOf, type Observation } from './observation.ts'
import { outcomeOf } from './outcome-of.ts'
import {
  detectableDifference,
  differencePValue,
  holmCorrected,
  type Share,
  shareOf,
  sum,
  trendOver,
  twoSided,
} from './proportions.ts'
import { createQuestions, type FormQuestion, type GivenAnswer } from './questions.ts'
import { findReviewerEffects, type ReviewerEffect } from './reviewer-effects.ts'
import { strongestOf } from './strongest-day.ts'
import { type Quote, shortenQuote } from './theme-quotes.ts'
import { createThemes, type Themes } from './themes.ts'

/** The counts behind every statement about an app and task type. */
export type Figures = {
  /** Answers by people. Decisions by timeout are not feedback and are counted separately. */
  answers: number
  timeouts: number
  /** Tasks that ended at their deadline without an answer. */
  expired: number
  /** Answers beyond the first of a bulk answer. They are counted, also per version in `versions`, but not used in other tests. */
  repeats: number
  actions: (CountedAction & { share: number })[]
  negative: Share
  positive: Share
  trend: Trend | undefined
  versions: VersionFigures[]
  /** Undefined without answers. */
  current: CurrentVersion | undefined
  fieldEffects: FieldEffect[]
  reviewerEffects: ReviewerEffect[]
  /** The newest answers, newest first. */
  observations: Observation[]
  unversioned: Share
  questions: FormQuestion[]
  /** The same without repeats. */
  testedQuestions: FormQuestion[]
  comparisons: Comparison[]
  themes: Themes
  /** In seconds. */
  timeToAnswer: { median: number; p90: number } | undefined
}

/** The negative share in the older and the newer half of the answers' days, when it rises or falls. */
export type Trend = { direction: 'rises' | 'falls'; before: Share; after: Share; pValue: number }

export type VersionFigures = Share & {
  version: string
  firstSeen: Date
  isNewest: boolean
  /** Compared with all other versions together. Too few: fewer than 20 answers on either side. */
  verdict: 'worse' | 'better' | 'no-difference' | 'too-few'
  others: Share
  /** After correction for the number of versions. */
  pValue: number | undefined
  /** The difference in shares that the same test detects with a power of 80 %. */
  detectable: number | undefined
  /** What people wrote in the newest negative answers to it. */
  cases: Quote[]
}

export const minAnswersPerVersion = 20
const versionLevel = 0.05
const trendLevel = 0.01
/** Milder, because it only has to show that the trend is not one day. */
const trendLevelWithoutDay = 0.05
const minAnswersForTrend = 40
const maxActions = 50
const maxVersions = 50
const casesPerVersion = 3
/** Causes are searched for in the newest answers, so that it takes less than 100 ms. */
const maxObservations = 10_000
const maxBulkAnswers = 100_000
const day = 24 * 3600 * 1000

export type VersionTally = { count: number; n: number; firstSeen: number; cases: Quote[] }

/**
 * Takes answers newest first, and the outcomes that admins set by the id of the action. Memory grows with the variety of the
 * answers, not with their number.
 */
export function createFigures(setOutcomes: ReadonlyMap<string, Outcome> = new Map()) {
  const actions = new Map<string, CountedAction>()
  const outcomes: Record<Outcome, number> = { positive: 0, neutral: 0, negative: 0 }
  const days = new Map<number, { count: number; n: number }>()
  const versions = new Map<string, VersionTally>()
  const unversioned = { count: 0, n: 0 }
  const times: Buckets = new Map()
  const questions = createQuestions()
  const comparisons = createComparisons()
  const themes = createThemes()
  const observations: Observation[] = []
  const bulkAnswers = new Set<string>()
  let timeouts = 0
  let repeats = 0

  function add(answer: AnswerRow): void {
    if (answer.decidedBy === 'timeout') {
      timeouts++
      return
    }
    const { actionId: id, actionTitle: title } = answer
    const action = answer.actions.find((candidate) => candidate.id === id)
    const { outcome, source } = outcomeOf({ id, title, outcome: action?.outcome }, setOutcomes.get(id))
    const negative = outcome === 'negative'
    outcomes[outcome]++
    const known = actions.get(id)
    if (known) known.count++
    else actions.set(id, { actionId: id, title, outcome, source, count: 1 })
    addTo(times, bucketOf((answer.endedAt.getTime() - answer.createdAt.getTime()) / 1000))
    const isRepeated = isRepeat(answer)
    const { texts, choices } = readForm(answer, action, isRepeated)
    const text = texts.join('\n')
    themes.addTask(`${answer.name}\n${answer.description}`)
    if (answer.version === null) countIn(unversioned, negative)
    else noteVersion(answer.version, answer, negative, text)
    if (isRepeated) repeats++
    else observe(answer, action, observationOf(answer, outcome, choices), text)
  }

  /** What tests use. */
  function observe(
    answer: AnswerRow,
    action: StoredAction | undefined,
    one: Observation,
    text: string,
  ): void {
    tally(days, one.day, one.isNegative)
    const terms = text === '' ? undefined : themes.add(answer.taskId, text, one.isNegative, one.day)
    if (observations.length < maxObservations)
      observations.push(terms && one.isNegative ? { ...one, terms } : one)
    if (action && answer.candidates) comparisons.add(action, answer.candidates, answer, one.day)
  }

  /** A person who answers many tasks at once decides once per version and action. */
  function isRepeat({ bulkId, version, actionId, handledBy }: AnswerRow): boolean {
    if (bulkId === null) return false
    // Clients make the ids, perhaps the same ones as others.
    const key = JSON.stringify([bulkId, version, actionId, handledBy])
    if (bulkAnswers.has(key)) return true
    if (bulkAnswers.size < maxBulkAnswers) bulkAnswers.add(key)
    return false
  }

  function readForm(
    { actionId, data }: AnswerRow,
    action: StoredAction | undefined,
    isRepeated: boolean,
  ): GivenAnswer {
    if (actionId !== reservedActions.rejectRequest.id)
      return action ? questions.add(action, data, isRepeated) : { texts: [], choices: [] }
    return { texts: typeof data.feedback === 'string' ? [data.feedback] : [], choices: [] }
  }

  function noteVersion(version: string, answer: AnswerRow, negative: boolean, text: string): void {
    const createdAt = answer.createdAt.getTime()
    const known = versions.get(version) ?? { count: 0, n: 0, firstSeen: createdAt, cases: [] }
    known.firstSeen = Math.min(known.firstSeen, createdAt)
    countIn(known, negative)
    if (negative && text !== '' && known.cases.length < casesPerVersion)
      known.cases.push({ taskId: answer.taskId, text: shortenQuote(text) })
    versions.set(version, known)
  }

  function* finishInSlices(expired = 0): Slices<Figures> {
    const answers = outcomes.positive + outcomes.neutral + outcomes.negative
    const median = quantileOf(times, 0.5)
    const fields = fieldsOf(observations)
    yield
    const table = yield* tabulate(observations, ['version', 'reviewer', 'weekend', ...fields])
    const current = judgeCurrentVersion(observations, table)
    yield
    const fieldEffects = yield* findFieldEffects(observations.filter(({ hasContent }) => hasContent))
    const reviewerEffects = yield* findReviewerEffects(observations, table)
    const foundThemes = yield* themes.finish()
    yield
    const foundQuestions = questions.finish()
    const testedQuestions = questions.finish('tested')
    yield
    return {
      answers,
      timeouts,
      expired,
      repeats,
      actions: [...actions.values()]
        .sort((a, b) => b.count - a.count)
        .slice(0, maxActions)
        .map((action) => ({ ...action, share: action.count / answers })),
      negative: shareOf(outcomes.negative, answers),
      positive: shareOf(outcomes.positive, answers),
      trend: trendOf(days, answers - repeats),
      versions: compareVersions(versions),
      current,
      fieldEffects,
      reviewerEffects,
      observations,
      unversioned: shareOf(unversioned.count, unversioned.n),
      questions: foundQuestions,
      testedQuestions,
      comparisons: comparisons.finish(current?.version ?? null),
      themes: foundThemes,
      timeToAnswer: median === undefined ? undefined : { median, p90: quantileOf(times, 0.9)! },
    }
  }

  /** Only what people answered and wrote, without the search for causes. */
  function* finishDetails() {
    const foundThemes = yield* themes.finish()
    return {
      answers: outcomes.positive + outcomes.neutral + outcomes.negative,
      questions: questions.finish(),
      comparisons: comparisons.finish().map(({ ours: _ours, ...comparison }) => comparison),
      themes: foundThemes,
    }
  }

  return {
    add,
    finishDetails,
    finishInSlices,
    finish: (expired?: number) => complete(finishInSlices(expired)),
  }
}

function observationOf(
  { taskId, name, version, actionId, createdAt, endedAt, handledBy, fields, isContentDeleted }: AnswerRow,
  outcome: Outcome,
  choices: Observation['choices'],
): Observation {
  return {
    taskId,
    name,
    version,
    actionId,
    createdAt: createdAt.getTime(),
    day: Math.floor(endedAt.getTime() / day),
    isNegative: outcome === 'negative',
    isPositive: outcome === 'positive',
    reviewer: handledBy,
    hasContent: !isContentDeleted,
    fields: fields ?? {},
    choices,
  }
}

function tally<Key>(map: Map<Key, { count: number; n: number }>, key: Key, negative: boolean): void {
  const known = map.get(key) ?? { count: 0, n: 0 }
  countIn(known, negative)
  map.set(key, known)
}

function countIn(counted: { count: number; n: number }, negative: boolean): void {
  counted.n++
  if (negative) counted.count++
}

function trendOf(days: Map<number, { count: number; n: number }>, answers: number): Trend | undefined {
  if (answers < minAnswersForTrend || days.size < 4) return undefined
  const ordered = [...days].map(([at, counted]) => ({ at, ...counted })).sort((a, b) => a.at - b.at)
  // Relative to the first day, to keep the numbers in the test small.
  const from = ordered[0]!.at
  const z = trendOver(ordered.map((one) => ({ ...one, at: one.at - from })))
  const pValue = twoSided(z)
  if (pValue >= trendLevel || !isTrendWithoutStrongestDay(ordered, Math.sign(z))) return undefined
  const middle = (from + ordered.at(-1)!.at) / 2
  const half = (isOlder: boolean) => {
    const part = ordered.filter(({ at }) => at <= middle === isOlder)
    return shareOf(
      sum(part, ({ count }) => count),
      sum(part, ({ n }) => n),
    )
  }
  return { direction: z > 0 ? 'rises' : 'falls', before: half(true), after: half(false), pValue }
}

type DayTally = { at: number; count: number; n: number }

function isTrendWithoutStrongestDay(days: DayTally[], direction: number): boolean {
  const n = sum(days, (day) => day.n)
  const share = sum(days, (day) => day.count) / n
  const middle = sum(days, (day) => day.at * day.n) / n
  const excess = ({ at, count, n }: DayTally) => direction * (at - middle) * (count - n * share)
  const strongest = strongestOf(new Map(days.map((day) => [day.at, excess(day)])))
  if (strongest === undefined) return true
  const from = days[0]!.at
  const left = days.filter(({ at }) => at !== strongest).map((day) => ({ ...day, at: day.at - from }))
  const z = trendOver(left)
  return Math.sign(z) === direction && twoSided(z) < trendLevelWithoutDay
}

/** Breaks ties between versions first seen at the same time: 4.10 is newer than 4.9. */
const byNumber = new Intl.Collator('en', { numeric: true })

export function newestFirst<T extends { firstSeen: number }>(
  tallies: Map<string, T>,
): (T & { version: string })[] {
  return [...tallies]
    .map(([version, tally]) => ({ version, ...tally }))
    .sort((a, b) => b.firstSeen - a.firstSeen || byNumber.compare(b.version, a.version))
}

/** Compares each version with all others together, newest first. Ignores tasks without a version. */
export function compareVersions(tallies: Map<string, VersionTally>): VersionFigures[] {
  const all = newestFirst(tallies)
  const total = { count: sum(all, ({ count }) => count), n: sum(all, ({ n }) => n) }
  const rows = all.map((one, i) => ({
    ...one,
    isNewest: i === 0,
    others: { count: total.count - one.count, n: total.n - one.n },
  }))
  const isEnough = ({ n, others }: (typeof rows)[number]) =>
    n >= minAnswersPerVersion && others.n >= minAnswersPerVersion
  const enough = rows.filter(isEnough)
  // With two versions both tests are the same, so they count as one.
  const single = enough.length === 2 && rows.length === 2
  const plain = enough.map((row) => differencePValue(row, row.others))
  const pValues = single ? plain : holmCorrected(plain)
  return rows.slice(0, maxVersions).map(({ version, count, n, firstSeen, cases, isNewest, others }, i) => {
    const index = enough.indexOf(rows[i]!)
    const pValue = index < 0 ? undefined : pValues[index]
    const isWorse = count / n > others.count / others.n
    const level = versionLevel / (single ? 1 : enough.length)
    return {
      ...shareOf(count, n),
      version,
      firstSeen: new Date(firstSeen),
      cases,
      isNewest,
      others: shareOf(others.count, others.n),
      pValue,
      detectable: pValue === undefined ? undefined : detectableDifference({ count, n }, others, level),
      verdict:
        pValue === undefined
          ? 'too-few'
          : pValue >= versionLevel
            ? 'no-difference'
            : isWorse
              ? 'worse'
              : 'better',
    }
  })
}
