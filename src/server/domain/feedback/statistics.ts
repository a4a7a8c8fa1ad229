import type { Outcome } from '../../../contract/action.ts'
import type { EditLevel } from '../../../contract/edits/word-diff.ts'
import { limits } from '../../../contract/limits.ts'
import type { GetStatistics, Statistics } from '../../../contract/statistics.ts'
import type { DecidedBy } from '../../../contract/task-answer.ts'
import { completeInTurns, createTurns } from '../../lib/event-loop.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listActionOutcomes } from '../../storage/feedback/action-outcomes.ts'
import { readReviewedAnswers } from '../../storage/feedback/agreement.ts'
import { type AnalysisVerdict, listLatestVerdicts } from '../../storage/feedback/analyses.ts'
import { readAnswers } from '../../storage/feedback/answers.ts'
import { readRollUpState } from '../../storage/feedback/roll-ups.ts'
import {
  type ActionCount,
  countAnswers,
  countEdits,
  countOpen,
  countPeople,
  countTimes,
  type DayCount,
  type StatisticsFilters,
  type VersionCount,
} from '../../storage/feedback/statistics.ts'
import type { PersonActor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { agreementOf } from './agreement.ts'
import { compareVersions, newestFirst, type VersionTally } from './compare-versions.ts'
import type { PositionBias } from './comparisons.ts'
import { type Buckets, bucketStart, bucketsPerDoubling, quantileOf } from './durations.ts'
import { createFigures } from './figures.ts'
import { judgeHealth } from './health.ts'
import { readInTime } from './in-time.ts'
import { outcomeOf } from './outcome-of.ts'
import { addTo, exactShareOf, shareOf, sum } from './proportions.ts'

const defaultDays = 30
/** Actions with a column of their own per day. */
const shownActions = 8
const listedActions = 50
const shownAppsAndTypes = 100
const shownVersions = 20
const shownPeople = 100
const openCountStopsAt = 10_000
// What people entered in forms is not rolled up. The details are read from this many answers, the
// newest ones, so that their cost does not grow with the number of answers.
const detailedAnswers = 1_000

/** Figures of a range of days for the Statistics page. */
export async function statistics(
  { database }: Service,
  actor: PersonActor,
  query: GetStatistics,
): Promise<Statistics> {
  const read = <T>(work: (tx: Transaction) => Promise<T>) => database.inWorkspace(actor.workspaceId, work)
  const { app, type, version, person: handledBy } = query
  const { today, until } = await read(readRollUpState)
  const { from, to } = daysOf(query, today)
  const liveFrom = until !== null && until > from ? until : from
  const filters = { from, to, liveFrom, app, type, version, handledBy }
  // Two connections take half the time of one. Neither transaction waits for the other, so if the
  // pool has only one free connection, they run one after the other.
  const [{ byDay, byVersion, open, details }, { people, times, edits, timed, verdicts }] = await Promise.all([
    read(async (tx) => {
      const outcomesByAdmins = await listActionOutcomes(tx, filters)
      return {
        ...(await countAnswers(tx, filters, outcomesByAdmins.length > 0)),
        open: await countOpen(tx, filters, openCountStopsAt),
        details:
          app !== undefined && type !== undefined
            ? await readDetails(tx, { ...filters, app, type }, outcomesByAdmins)
            : undefined,
      }
    }),
    read(async (tx) => ({
      people: await countPeople(tx, filters, shownPeople),
      times: await countTimes(tx, filters),
      edits: await countEdits(tx, filters),
      timed: await readInTime(tx, filters),
      // The verdict of an analysis comes from the answers of all people to all versions, so it does
      // not apply to the figures of one version or person.
      verdicts: version === undefined && handledBy === undefined ? await listLatestVerdicts(tx) : [],
    })),
  ])
  const actions = actionsOf(byDay.filter(isByPeople))
  const allTimes: Buckets = new Map()
  for (const { bucket, answers } of times) addTo(allTimes, bucket, answers)
  const byPeople = byVersion.filter(isByPeople)
  const answers = sum(byPeople, (row) => row.answers)
  return {
    from,
    to,
    answers,
    ...decidedWithoutPeople(byVersion),
    negative: shareOf(
      sum(byPeople.filter(isNegative), (row) => row.answers),
      answers,
    ),
    ...editCounts(edits),
    medianSeconds: quantileOf(allTimes, 0.5) ?? null,
    p90Seconds: quantileOf(allTimes, 0.9) ?? null,
    open: {
      count: Math.min(open.count, openCountStopsAt),
      hasMore: open.count > openCountStopsAt,
      ...(open.oldest !== null && { oldestAt: open.oldest.toISOString() }),
    },
    ...daily(filters, byDay, times, actions.slice(0, shownActions)),
    timesToAnswer: histogram(allTimes),
    pairs: statisticsByAppAndType(byVersion, verdicts),
    ...(timed && { inTime: timed }),
    people,
    versions: details ? versionsOf(byPeople, edits) : [],
    ...(details && { details: { actions: actions.slice(0, listedActions), ...details } }),
  }
}

const dayMilliseconds = 86_400_000

function daysOf({ from, to }: GetStatistics, today: string): { from: string; to: string } {
  const last = to?.slice(0, 10) ?? today
  const first = from?.slice(0, 10) ?? dayAfter(last, 1 - defaultDays)
  const length = (Date.parse(last) - Date.parse(first)) / dayMilliseconds + 1
  if (length < 1)
    throw invalidRequest([
      to === undefined
        ? { path: 'from', message: 'Must not be after today (UTC), which is the default of to.' }
        : { path: 'to', message: 'Must not be before from.' },
    ])
  if (length > limits.statisticsDays)
    throw invalidRequest([
      { path: 'from', message: `Must be at most ${limits.statisticsDays - 1} days before to.` },
    ])
  return { from: first, to: last }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10)
}

const isByPeople = ({ decidedBy }: ActionCount) => decidedBy === 'human'
const isNegative = (row: ActionCount) => outcomeOfRow(row).outcome === 'negative'

/** The answers by deadlines and by standing rules, which are not feedback. */
function decidedWithoutPeople(rows: ActionCount[]): { timeouts: number; rules: number } {
  const count = (wanted: DecidedBy) =>
    sum(rows, ({ decidedBy, answers }) => (decidedBy === wanted ? answers : 0))
  return { timeouts: count('timeout'), rules: count('rule') }
}

function outcomeOfRow({ actionId: id, actionTitle: title, outcome: declared, outcomeByAdmin }: ActionCount) {
  return outcomeOf({ id, title, outcome: (declared || undefined) as Outcome | undefined }, outcomeByAdmin)
}

/**
 * The actions of these rows, most frequent first. The rows are in the order of their days, so that
 * title and outcome are those of the newest answers.
 */
function actionsOf(rows: DayCount[]): Statistics['actions'] {
  const byAction = new Map<string, Statistics['actions'][number]>()
  for (const row of rows) {
    const { actionId, actionTitle, answers } = row
    const known = byAction.get(actionId)
    // After content was deleted the ID replaces the title.
    const title = known && actionTitle === actionId ? known.title : actionTitle
    byAction.set(actionId, { actionId, title, ...outcomeOfRow(row), count: (known?.count ?? 0) + answers })
  }
  return [...byAction.values()].sort((a, b) => b.count - a.count)
}

/**
 * The figures of every day of the range, including days without answers: one count per given
 * action, and one for all other actions.
 */
function daily(
  { from, to }: StatisticsFilters,
  rows: DayCount[],
  times: { day: string; bucket: number; answers: number }[],
  actions: Statistics['actions'],
): Pick<Statistics, 'actions' | 'days'> {
  const column = new Map(actions.map(({ actionId }, i) => [actionId, i]))
  const days = new Map<string, Statistics['days'][number] & { buckets: Buckets }>()
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    days.set(day, {
      day,
      answers: 0,
      timeouts: 0,
      rules: 0,
      negative: 0,
      medianSeconds: null,
      p90Seconds: null,
      byAction: actions.map(() => 0),
      otherActions: 0,
      buckets: new Map(),
    })
  }
  for (const row of rows) {
    const day = days.get(row.day)!
    if (!isByPeople(row)) {
      day[row.decidedBy === 'rule' ? 'rules' : 'timeouts'] += row.answers
      continue
    }
    day.answers += row.answers
    if (isNegative(row)) day.negative += row.answers
    const at = column.get(row.actionId)
    if (at === undefined) day.otherActions += row.answers
    else day.byAction[at]! += row.answers
  }
  for (const { day, bucket, answers } of times) addTo(days.get(day)!.buckets, bucket, answers)
  return {
    actions,
    days: [...days.values()].map(({ buckets, ...day }) => ({
      ...day,
      medianSeconds: quantileOf(buckets, 0.5) ?? null,
      p90Seconds: quantileOf(buckets, 0.9) ?? null,
    })),
  }
}

/** One bar per doubling of the time. */
function histogram(buckets: Buckets): Statistics['timesToAnswer'] {
  const bars = new Map<number, number>()
  for (const [bucket, count] of buckets) addTo(bars, Math.floor(bucket / bucketsPerDoubling), count)
  const [first, last] = [Math.min(...bars.keys()), Math.max(...bars.keys())]
  return bars.size === 0
    ? []
    : Array.from({ length: last - first + 1 }, (_, i) => ({
        fromSeconds: bucketStart((first + i) * bucketsPerDoubling),
        toSeconds: bucketStart((first + i + 1) * bucketsPerDoubling),
        count: bars.get(first + i) ?? 0,
      }))
}

/** One entry per app and type, those with the most answers first. The API calls them `pairs`. */
function statisticsByAppAndType(rows: VersionCount[], verdicts: AnalysisVerdict[]): Statistics['pairs'] {
  const verdictOf = new Map(verdicts.map((one) => [JSON.stringify([one.app, one.type]), one]))
  const rowsOf = new Map<string, VersionCount[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.app, row.type])
    const known = rowsOf.get(key)
    if (known) known.push(row)
    else rowsOf.set(key, [row])
  }
  return [...rowsOf]
    .map(([key, own]) => {
      const byPeople = own.filter(isByPeople)
      const answers = sum(byPeople, (row) => row.answers)
      const count = (wanted: Outcome) =>
        sum(byPeople, (row) => (outcomeOfRow(row).outcome === wanted ? row.answers : 0))
      const negative = shareOf(count('negative'), answers)
      const newest = newestFirst(tallyVersions(byPeople))[0]
      const verdict = verdictOf.get(key)
      const { isHealthy, tooFew } = verdict ?? judgeHealth(exactShareOf(newest ?? negative), false, false)
      return {
        app: own[0]!.app,
        type: own[0]!.type,
        answers,
        ...decidedWithoutPeople(own),
        positive: count('positive'),
        neutral: count('neutral'),
        negative,
        health: tooFew ? ('too-few' as const) : isHealthy ? ('healthy' as const) : ('not-healthy' as const),
        ...(verdict && { analyzedAt: verdict.endedAt.toISOString() }),
      }
    })
    .sort((a, b) => b.answers - a.answers)
    .slice(0, shownAppsAndTypes)
}

function tallyVersions(rows: VersionCount[]): Map<string, VersionTally> {
  const versions = new Map<string, VersionTally>()
  for (const row of rows.filter(({ version }) => version !== '')) {
    const known = versions.get(row.version) ?? { count: 0, n: 0, firstSeen: row.beganAt, quotes: [] }
    known.firstSeen = Math.min(known.firstSeen, row.beganAt)
    known.n += row.answers
    if (isNegative(row)) known.count += row.answers
    versions.set(row.version, known)
  }
  return versions
}

type EditCount = Awaited<ReturnType<typeof countEdits>>[number]

function editCounts(rows: EditCount[]): Pick<Statistics, 'edits'> {
  if (rows.length === 0) return {}
  const count = (wanted: EditLevel) => sum(rows, ({ level, answers }) => (level === wanted ? answers : 0))
  return { edits: { unchanged: count('unchanged'), light: count('light'), heavy: count('heavy') } }
}

function versionsOf(rows: VersionCount[], edits: EditCount[]): Statistics['versions'] {
  return compareVersions(tallyVersions(rows))
    .slice(0, shownVersions)
    .map(({ firstSeen: _firstSeen, others: _others, quotes: _quotes, pValue, detectable, ...version }) => {
      const own = rows.filter((row) => row.version === version.version)
      return {
        ...version,
        firstDay: own.map((row) => row.firstDay).sort()[0]!,
        lastDay: own
          .map((row) => row.lastDay)
          .sort()
          .at(-1)!,
        ...editCounts(edits.filter((row) => row.version === version.version)),
        ...(pValue !== undefined && { chance: pValue }),
        ...(version.verdict === 'no-difference' && { detectable: detectable! }),
      }
    })
}

async function readDetails(
  tx: Transaction,
  { app, type, from, to, version, handledBy }: StatisticsFilters & { app: string; type: string },
  outcomesByAdmins: { actionId: string; outcome: Outcome }[],
): Promise<Omit<NonNullable<Statistics['details']>, 'actions'>> {
  const periodStart = new Date(from)
  const periodEnd = new Date(dayAfter(to, 1))
  const filters = { app, type, periodStart, periodEnd, version, handledBy }
  const figures = createFigures(new Map(outcomesByAdmins.map(({ actionId, outcome }) => [actionId, outcome])))
  const turnIfDue = createTurns()
  for await (const answer of readAnswers(tx, filters, undefined, detailedAnswers)) {
    figures.add(answer)
    await turnIfDue()
  }
  const { formFields, comparisons, texts, answers } = await completeInTurns(figures.finishDetails())
  const agreement =
    handledBy === undefined
      ? agreementOf(await readReviewedAnswers(tx, { app, type, periodStart, periodEnd, version }))
      : undefined
  return {
    basedOn: answers,
    ...(agreement && { agreement }),
    questions: formFields,
    comparisons: comparisons.map(({ position, ...comparison }) => ({
      ...comparison,
      position: presentPosition(position),
    })),
    reasonsAreTested: texts.compared,
    reasons: texts.themes.map(({ taskIds: _taskIds, words, ...theme }) => ({
      ...theme,
      terms: words,
    })),
  }
}

/** The API calls the p-value `chance`. */
function presentPosition(position: PositionBias) {
  if (!position.known) return position
  const { pValue, ...known } = position
  return { ...known, chance: pValue }
}
