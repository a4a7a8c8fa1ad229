import type { Outcome } from '../../../contract/action.ts'
import type { CountedAction } from '../../../contract/action-outcome.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { bulkKey } from './bulk-key.ts'
import { compareVersions, type VersionFigures, type VersionTally } from './compare-versions.ts'
import { type Comparison, createComparisons } from './comparisons.ts'
import { type CurrentVersion, judgeCurrentVersion } from './current-version.ts'
import { type Buckets, bucketOf, quantileOf } from './durations.ts'
import { tabulate } from './factor-tests.ts'
import { type FieldEffect, findFieldEffects } from './field-effects.ts'
import { createFormFieldCounts, type FormFieldCounts, type TextsAndChoices } from './form-fields.ts'
import { factorFields, type Observation } from './observation.ts'
import { outcomeOf } from './outcome-of.ts'
import { addTo, type Proportion, type Share, shareOf } from './proportions.ts'
import { findReviewerEffects, type ReviewerEffect } from './reviewer-effects.ts'
import { shortenQuote } from './theme-quotes.ts'
import { createThemes, type TextFigures } from './themes.ts'
import { type Trend, trendOf } from './trend.ts'

/**
 * What an analysis counted and tested in the answers to one app and type. Its texts state nothing
 * else.
 */
export type Figures = {
  /** Answers by people. Decisions by timeout are not feedback and are counted separately. */
  answers: number
  timeouts: number
  /** Tasks that ended at their deadline without an answer. */
  expired: number
  /**
   * How many answers repeat the first one of a bulk answer. They are counted in `answers`,
   * `actions` and `versions`, but the verdict, themes, comparisons and all tests leave them out.
   */
  repeats: number
  actions: (CountedAction & { share: number })[]
  negative: Share
  positive: Share
  trend: Trend | undefined
  versions: VersionFigures[]
  /** The version that runs now. Undefined without answers. */
  current: CurrentVersion | undefined
  fieldEffects: FieldEffect[]
  reviewerEffects: ReviewerEffect[]
  /** At most the newest 10,000 answers, without repeats, newest first. */
  observations: Observation[]
  /** The negative share of the tasks without a version. */
  unversioned: Share
  /** The form fields with the most answers. */
  formFields: FormFieldCounts[]
  /**
   * The same fields without repeats and with all their choices, and the counts of these fields with
   * every other action, which the choices are compared with.
   */
  testedFormFields: FormFieldCounts[]
  comparisons: Comparison[]
  texts: TextFigures
  /** In seconds. */
  timeToAnswer: { median: number; p90: number } | undefined
}

const maxActions = 50
const quotesPerVersion = 3
/** Causes are searched for in the newest answers only, which bounds the time of the search. */
const maxObservations = 10_000
/** Bounds memory: answers that repeat a further bulk answer count as decisions of their own. */
const maxBulkAnswers = 100_000
const dayMilliseconds = 24 * 3600 * 1000

/**
 * Counts answers, which are added newest first. `outcomesByAdmins` has the outcomes that admins set,
 * by action id. Memory grows with the variety of the answers, and with their number only up to a
 * limit.
 */
export function createFigures(outcomesByAdmins: ReadonlyMap<string, Outcome> = new Map()) {
  const tallies = createTallies()
  return {
    add: (answer: AnalyzedAnswer) => addAnswer(tallies, answer, outcomesByAdmins),
    finishDetails: () => finishDetails(tallies),
    finish: (expired?: number) => finish(tallies, expired),
  }
}

/** What was counted in the answers so far. */
type Tallies = ReturnType<typeof createTallies>

function createTallies() {
  return {
    actions: new Map<string, CountedAction>(),
    outcomes: { positive: 0, neutral: 0, negative: 0 } satisfies Record<Outcome, number>,
    days: new Map<number, Proportion>(),
    versions: new Map<string, VersionTally>(),
    unversioned: { count: 0, n: 0 },
    times: new Map() as Buckets,
    formFields: createFormFieldCounts(),
    comparisons: createComparisons(),
    themes: createThemes(),
    observations: [] as Observation[],
    /** One key per version and action of each bulk answer. */
    bulkAnswers: new Set<string>(),
    timeouts: 0,
    repeats: 0,
  }
}

/** `answer` was given by a person or by the deadline. */
function addAnswer(
  tallies: Tallies,
  answer: AnalyzedAnswer,
  outcomesByAdmins: ReadonlyMap<string, Outcome>,
): void {
  if (answer.decidedBy === 'timeout') {
    tallies.timeouts++
    return
  }
  const { actionId: id, actionTitle: title } = answer
  const action = answer.actions.find((one) => one.id === id)
  const { outcome, source } = outcomeOf({ id, title, outcome: action?.outcome }, outcomesByAdmins.get(id))
  const negative = outcome === 'negative'
  tallies.outcomes[outcome]++
  const known = tallies.actions.get(id)
  if (known) {
    known.count++
    // After content was deleted the ID replaces the title.
    if (known.title === id) known.title = title
  } else tallies.actions.set(id, { actionId: id, title, outcome, source, count: 1 })
  addTo(tallies.times, bucketOf((answer.endedAt.getTime() - answer.createdAt.getTime()) / 1000))
  const isRepeat = rememberBulkAnswer(tallies, answer)
  const { texts, choices } = countForm(tallies, answer, action, isRepeat)
  const text = texts.join('\n')
  if (!answer.isContentDeleted) tallies.themes.addTask(`${answer.name}\n${answer.description}`)
  if (answer.version === null) countIn(tallies.unversioned, negative)
  else addVersion(tallies, answer.version, answer, negative, text)
  if (isRepeat) tallies.repeats++
  else addObservation(tallies, answer, action, observationOf(answer, outcome, choices), text)
}

/**
 * Answering several tasks together is one decision per version and action. Returns true if an
 * answer of the same decision was counted before, so that this one repeats it.
 */
function rememberBulkAnswer({ bulkAnswers }: Tallies, answer: AnalyzedAnswer): boolean {
  if (answer.bulkId === null) return false
  const key = bulkKey(answer)
  if (bulkAnswers.has(key)) return true
  if (bulkAnswers.size < maxBulkAnswers) bulkAnswers.add(key)
  return false
}

/** Counts what the person entered in the form, and returns it. */
function countForm(
  { formFields }: Tallies,
  { actionId, data }: AnalyzedAnswer,
  action: StoredAction | undefined,
  isRepeat: boolean,
): TextsAndChoices {
  if (actionId !== reservedActions.rejectRequest.id)
    return action ? formFields.add(action, data, isRepeat) : { texts: [], choices: [] }
  return { texts: typeof data.feedback === 'string' ? [data.feedback] : [], choices: [] }
}

function addVersion(
  { versions }: Tallies,
  version: string,
  answer: AnalyzedAnswer,
  negative: boolean,
  text: string,
): void {
  const createdAt = answer.createdAt.getTime()
  const known = versions.get(version) ?? { count: 0, n: 0, firstSeen: createdAt, quotes: [] }
  known.firstSeen = Math.min(known.firstSeen, createdAt)
  countIn(known, negative)
  if (negative && text !== '' && known.quotes.length < quotesPerVersion)
    known.quotes.push({ taskId: answer.taskId, text: shortenQuote(text) })
  versions.set(version, known)
}

/** Adds the answer to what the statistical tests use. */
function addObservation(
  { days, themes, observations, comparisons }: Tallies,
  answer: AnalyzedAnswer,
  action: StoredAction | undefined,
  observation: Observation,
  text: string,
): void {
  const { day, isNegative } = observation
  const known = days.get(day) ?? { count: 0, n: 0 }
  countIn(known, isNegative)
  days.set(day, known)
  const terms = text === '' ? undefined : themes.add(answer.taskId, text, isNegative, day)
  if (observations.length < maxObservations)
    observations.push(terms && isNegative ? { ...observation, terms } : observation)
  if (action && answer.candidates) comparisons.add(action, answer.candidates, answer, day)
}

function observationOf(
  {
    taskId,
    name,
    version,
    actionId,
    createdAt,
    endedAt,
    handledBy,
    fields,
    isContentDeleted,
  }: AnalyzedAnswer,
  outcome: Outcome,
  choices: Observation['choices'],
): Observation {
  return {
    taskId,
    name,
    version,
    actionId,
    createdAt: createdAt.getTime(),
    day: Math.floor(endedAt.getTime() / dayMilliseconds),
    isNegative: outcome === 'negative',
    isPositive: outcome === 'positive',
    reviewer: handledBy,
    hasContent: !isContentDeleted,
    fields: fields ?? {},
    choices,
  }
}

function countIn(proportion: Proportion, isNegative: boolean): void {
  proportion.n++
  if (isNegative) proportion.count++
}

function* finish(tallies: Tallies, expired = 0): Slices<Figures> {
  const { outcomes, times, observations, repeats } = tallies
  const answers = countAnswers(tallies)
  const median = quantileOf(times, 0.5)
  const withContent = observations.filter(({ hasContent }) => hasContent)
  const fields = factorFields(withContent)
  yield
  const table = yield* tabulate(observations, ['version', 'reviewer', 'weekend', ...fields])
  const current = judgeCurrentVersion(observations, table)
  yield
  const fieldEffects = yield* findFieldEffects(withContent)
  const reviewerEffects = yield* findReviewerEffects(observations, table)
  const texts = yield* tallies.themes.finish()
  yield
  const formFields = tallies.formFields.finish()
  const testedFormFields = tallies.formFields.finish('tested')
  yield
  return {
    answers,
    timeouts: tallies.timeouts,
    expired,
    repeats,
    actions: [...tallies.actions.values()]
      .sort((a, b) => b.count - a.count)
      .slice(0, maxActions)
      .map((action) => ({ ...action, share: action.count / answers })),
    negative: shareOf(outcomes.negative, answers),
    positive: shareOf(outcomes.positive, answers),
    trend: trendOf(tallies.days, answers - repeats),
    versions: compareVersions(tallies.versions),
    current,
    fieldEffects,
    reviewerEffects,
    observations,
    unversioned: shareOf(tallies.unversioned.count, tallies.unversioned.n),
    formFields,
    testedFormFields,
    comparisons: tallies.comparisons.finish(current?.version ?? null),
    texts,
    timeToAnswer: median === undefined ? undefined : { median, p90: quantileOf(times, 0.9)! },
  }
}

/** What people entered, chose and wrote, without the search for causes. */
function* finishDetails(tallies: Tallies) {
  const texts = yield* tallies.themes.finish()
  return {
    answers: countAnswers(tallies),
    formFields: tallies.formFields.finish(),
    comparisons: tallies.comparisons.finish().map(({ ownCandidates: _, ...comparison }) => comparison),
    texts,
  }
}

const countAnswers = ({ outcomes }: Tallies) => outcomes.positive + outcomes.neutral + outcomes.negative
