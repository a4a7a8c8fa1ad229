import type { Outcome } from '../../../contract/action.ts'
import type { CountedAction } from '../../../contract/action-outcome.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { complete, type Slices } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AnswerRow } from '../../storage/feedback/answers.ts'
import { compareVersions, type VersionFigures, type VersionTally } from './compare-versions.ts'
import { type Comparison, createComparisons } from './comparisons.ts'
import { type CurrentVersion, judgeCurrentVersion } from './current-version.ts'
import { addTo, type Buckets, bucketOf, quantileOf } from './durations.ts'
import { tabulate } from './factor-tests.ts'
import { type FieldEffect, findFieldEffects } from './field-effects.ts'
import { fieldsOf, type Observation } from './observation.ts'
import { outcomeOf } from './outcome-of.ts'
import { type Counted, type Share, shareOf } from './proportions.ts'
import { createQuestions, type FormQuestion, type GivenAnswer } from './questions.ts'
import { findReviewerEffects, type ReviewerEffect } from './reviewer-effects.ts'
import { shortenQuote } from './theme-quotes.ts'
import { createThemes, type Themes } from './themes.ts'
import { type Trend, trendOf } from './trend.ts'

/** The counts behind every statement about an app and task type. */
export type Figures = {
  /** Answers by people. Decisions by timeout are not feedback and are counted separately. */
  answers: number
  timeouts: number
  /** Tasks that ended at their deadline without an answer. */
  expired: number
  /**
   * Answers beyond the first of a bulk answer. They are counted, also in `versions`, but the verdict,
   * themes, comparisons and all other tests leave them out.
   */
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
  /** At most the newest 10,000 answers, without repeats, newest first. */
  observations: Observation[]
  /** The negative share of the tasks without a version. */
  unversioned: Share
  questions: FormQuestion[]
  /** The same without repeats, and with all that a choice is compared with. */
  testedQuestions: FormQuestion[]
  comparisons: Comparison[]
  themes: Themes
  /** In seconds. */
  timeToAnswer: { median: number; p90: number } | undefined
}

const maxActions = 50
const casesPerVersion = 3
/** Causes are searched for in the newest answers only, which bounds the time of the search. */
const maxObservations = 10_000
const maxBulkAnswers = 100_000
const dayMilliseconds = 24 * 3600 * 1000

/**
 * Takes answers newest first. `setOutcomes`: what admins set, by action id. Memory grows with the
 * variety of the answers, and with their number only up to a limit.
 */
export function createFigures(setOutcomes: ReadonlyMap<string, Outcome> = new Map()) {
  const tallies = createTallies()
  return {
    add: (answer: AnswerRow) => addAnswer(tallies, answer, setOutcomes),
    finishDetails: () => finishDetails(tallies),
    finishInSlices: (expired?: number) => finishInSlices(tallies, expired),
    finish: (expired?: number) => complete(finishInSlices(tallies, expired)),
  }
}

/** What was counted in the answers so far. */
type Tallies = ReturnType<typeof createTallies>

function createTallies() {
  return {
    actions: new Map<string, CountedAction>(),
    outcomes: { positive: 0, neutral: 0, negative: 0 } satisfies Record<Outcome, number>,
    days: new Map<number, Counted>(),
    versions: new Map<string, VersionTally>(),
    unversioned: { count: 0, n: 0 },
    times: new Map() as Buckets,
    questions: createQuestions(),
    comparisons: createComparisons(),
    themes: createThemes(),
    observations: [] as Observation[],
    /** One key per decision of a bulk answer. */
    bulkAnswers: new Set<string>(),
    timeouts: 0,
    repeats: 0,
  }
}

function addAnswer(tallies: Tallies, answer: AnswerRow, setOutcomes: ReadonlyMap<string, Outcome>): void {
  if (answer.decidedBy === 'timeout') {
    tallies.timeouts++
    return
  }
  const { actionId: id, actionTitle: title } = answer
  const action = answer.actions.find((candidate) => candidate.id === id)
  const { outcome, source } = outcomeOf({ id, title, outcome: action?.outcome }, setOutcomes.get(id))
  const negative = outcome === 'negative'
  tallies.outcomes[outcome]++
  const known = tallies.actions.get(id)
  if (known) {
    known.count++
    // After content was deleted the ID replaces the title.
    if (known.title === id) known.title = title
  } else tallies.actions.set(id, { actionId: id, title, outcome, source, count: 1 })
  addTo(tallies.times, bucketOf((answer.endedAt.getTime() - answer.createdAt.getTime()) / 1000))
  const isRepeated = isRepeat(tallies, answer)
  const { texts, choices } = readForm(tallies, answer, action, isRepeated)
  const text = texts.join('\n')
  if (!answer.isContentDeleted) tallies.themes.addTask(`${answer.name}\n${answer.description}`)
  if (answer.version === null) countIn(tallies.unversioned, negative)
  else addVersion(tallies, answer.version, answer, negative, text)
  if (isRepeated) tallies.repeats++
  else addObservation(tallies, answer, action, observationOf(answer, outcome, choices), text)
}

/** Answering many tasks at once is one decision per version and action. Its further answers are repeats. */
function isRepeat({ bulkAnswers }: Tallies, { bulkId, version, actionId, handledBy }: AnswerRow): boolean {
  if (bulkId === null) return false
  // Clients choose these ids, so two people may use the same one.
  const key = JSON.stringify([bulkId, version, actionId, handledBy])
  if (bulkAnswers.has(key)) return true
  if (bulkAnswers.size < maxBulkAnswers) bulkAnswers.add(key)
  return false
}

function readForm(
  { questions }: Tallies,
  { actionId, data }: AnswerRow,
  action: StoredAction | undefined,
  isRepeated: boolean,
): GivenAnswer {
  if (actionId !== reservedActions.rejectRequest.id)
    return action ? questions.add(action, data, isRepeated) : { texts: [], choices: [] }
  return { texts: typeof data.feedback === 'string' ? [data.feedback] : [], choices: [] }
}

function addVersion(
  { versions }: Tallies,
  version: string,
  answer: AnswerRow,
  negative: boolean,
  text: string,
): void {
  const createdAt = answer.createdAt.getTime()
  const known = versions.get(version) ?? { count: 0, n: 0, firstSeen: createdAt, cases: [] }
  known.firstSeen = Math.min(known.firstSeen, createdAt)
  countIn(known, negative)
  if (negative && text !== '' && known.cases.length < casesPerVersion)
    known.cases.push({ taskId: answer.taskId, text: shortenQuote(text) })
  versions.set(version, known)
}

/** Adds the answer to what the statistical tests use. */
function addObservation(
  { days, themes, observations, comparisons }: Tallies,
  answer: AnswerRow,
  action: StoredAction | undefined,
  one: Observation,
  text: string,
): void {
  const known = days.get(one.day) ?? { count: 0, n: 0 }
  countIn(known, one.isNegative)
  days.set(one.day, known)
  const terms = text === '' ? undefined : themes.add(answer.taskId, text, one.isNegative, one.day)
  if (observations.length < maxObservations)
    observations.push(terms && one.isNegative ? { ...one, terms } : one)
  if (action && answer.candidates) comparisons.add(action, answer.candidates, answer, one.day)
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
    day: Math.floor(endedAt.getTime() / dayMilliseconds),
    isNegative: outcome === 'negative',
    isPositive: outcome === 'positive',
    reviewer: handledBy,
    hasContent: !isContentDeleted,
    fields: fields ?? {},
    choices,
  }
}

function countIn(counted: Counted, negative: boolean): void {
  counted.n++
  if (negative) counted.count++
}

function* finishInSlices(tallies: Tallies, expired = 0): Slices<Figures> {
  const { outcomes, times, observations, questions, repeats } = tallies
  const answers = countAnswers(tallies)
  const median = quantileOf(times, 0.5)
  const withContent = observations.filter(({ hasContent }) => hasContent)
  const fields = fieldsOf(withContent)
  yield
  const table = yield* tabulate(observations, ['version', 'reviewer', 'weekend', ...fields])
  const current = judgeCurrentVersion(observations, table)
  yield
  const fieldEffects = yield* findFieldEffects(withContent)
  const reviewerEffects = yield* findReviewerEffects(observations, table)
  const themes = yield* tallies.themes.finish()
  yield
  const foundQuestions = questions.finish()
  const testedQuestions = questions.finish('tested')
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
    questions: foundQuestions,
    testedQuestions,
    comparisons: tallies.comparisons.finish(current?.version ?? null),
    themes,
    timeToAnswer: median === undefined ? undefined : { median, p90: quantileOf(times, 0.9)! },
  }
}

/** Only what people answered and wrote, without the search for causes. */
function* finishDetails(tallies: Tallies) {
  const themes = yield* tallies.themes.finish()
  return {
    answers: countAnswers(tallies),
    questions: tallies.questions.finish(),
    comparisons: tallies.comparisons.finish().map(({ ours: _ours, ...comparison }) => comparison),
    themes,
  }
}

const countAnswers = ({ outcomes }: Tallies) => outcomes.positive + outcomes.neutral + outcomes.negative
