import {
  type GroupTable,
  largestPValue,
  strongestDay,
  type Table,
  tableForGroup,
  testFactors,
} from './factor-tests.ts'
import { type Factor, factorValue, groupBy, isKnown, negativeShare, type Observation } from './observation.ts'
import { differencePValue, exactShareOf, type Share, sum, trendWithin } from './proportions.ts'
import { type Stratum, testWithinStrata } from './stratified-test.ts'

/** The version that runs now, compared with all others. */
export type CurrentVersion = {
  /** null: tasks without a version. */
  version: string | null
  /** The negative share of its newest 200 answers, by which its health is judged. */
  newestAnswers: Share
  /** The negative share of all its answers. */
  all: Share
  /** The negative share of the answers to all other versions. */
  others: Share
  /** The negative share of the version that would be the current one without this one. */
  previous: Share | undefined
  /**
   * How the version compares with the others. (The verdict of the analysis is healthy or not.)
   * - worse, better: in all answers and within each factor that could be tested.
   * - worse-hidden: worse only within a factor whose values are distributed differently over the
   *   versions.
   * - explained: the difference disappears within the factor `explainedBy`, or without the answers of
   *   the day `explainedBy`.
   * - not-confirmed: the difference is significant in all answers, but not within `explainedBy`.
   */
  verdict:
    | 'worse'
    | 'worse-hidden'
    | 'better'
    | 'explained'
    | 'not-confirmed'
    | 'no-difference'
    | 'too-few'
    | 'only-version'
  /**
   * Its negative share minus that of the others, in all answers; for `worse-hidden`, within the
   * factor that hides it.
   */
  difference: number
  /**
   * The largest of the p-values in all answers and within each tested factor; for `worse-hidden`,
   * the p-value within the factor that hides it, corrected for the number of factors.
   */
  pValue: number | undefined
  /** The one-sided level that the p-value is compared with. Undefined if nothing was tested. */
  level: number | undefined
  testedWithin: Factor[]
  explainedBy: Factor | { day: number } | undefined
  /**
   * Factors within which too few answers to this version can be compared with others. `time`: a
   * steady change over the days explains the answers about as well.
   */
  notSeparatedFrom: (Factor | 'time')[]
  /**
   * For a worse version that is separated from time: the last used of the other versions with
   * enough answers, if a test against this version alone finds it better.
   */
  goBackTo: string | undefined
}

const newestForHealth = 200
const newestTasks = 50
const minShareOfNewest = 0.2
const minAnswers = { current: 10, others: 20 }
/** Divided by the number of factors: each is one more occasion to find a difference by chance. */
const hiddenLevel = 0.05
/** Divided by the number of values of the factor, for the same reason. */
const mixLevel = 0.05
// Below 5 %, because an analysis that is repeated every day has more than one chance to be wrong.
const worseLevel = 0.035
const betterLevel = 0.025
/**
 * By how much a step at the release must fit better than a steady change over the days, as a
 * difference of z values.
 */
const minLeadOverTrend = 0.5

/**
 * `answers` are newest first, and `table` has the same answers. Undefined if there are no answers.
 */
export function judgeCurrentVersion(answers: Observation[], table: Table): CurrentVersion | undefined {
  const current = findCurrent(answers)
  if (current === undefined) return undefined
  const { version } = current
  const own = answers.filter((one) => one.version === version)
  const rest = answers.filter((one) => one.version !== version)
  const previous = findCurrent(rest)
  const base = {
    version,
    newestAnswers: exactShareOf(negativeShare(own.slice(0, newestForHealth))),
    all: negativeShare(own),
    others: negativeShare(rest),
    difference: negativeShare(own).share - negativeShare(rest).share,
    previous: previous && negativeShare(rest.filter((one) => one.version === previous.version)),
    pValue: undefined,
    level: undefined,
    testedWithin: [],
    explainedBy: undefined,
    notSeparatedFrom: [],
    goBackTo: undefined,
  }
  if (rest.length === 0) return { ...base, verdict: 'only-version' }
  if (own.length < minAnswers.current || rest.length < minAnswers.others)
    return { ...base, verdict: 'too-few' }
  const effect = effectOf(answers, version, table)
  const isWorse = effect.verdict === 'worse' || effect.verdict === 'worse-hidden'
  const goBackTo =
    isWorse && !effect.notSeparatedFrom.includes('time') ? findVersionToGoBackTo(own, rest) : undefined
  return { ...base, ...effect, goBackTo }
}

/**
 * The version that began last, among those with at least a fifth of the newest 50 answered tasks.
 * In an object, because the version itself may be null.
 */
function findCurrent(answers: Observation[]): { version: string | null } | undefined {
  const newest = [...answers].sort((a, b) => b.createdAt - a.createdAt).slice(0, newestTasks)
  const newestByVersion = groupBy(newest, ({ version }) => version)
  const began = new Map<string | null, number>()
  for (const { version, createdAt } of answers)
    began.set(version, Math.min(began.get(version) ?? createdAt, createdAt))
  const inUse = [...newestByVersion]
    .filter(([, tasks]) => tasks.length >= minShareOfNewest * newest.length)
    .sort(([a], [b]) => began.get(b)! - began.get(a)!)
  return inUse[0] && { version: inUse[0][0] }
}

type Effect = Pick<
  CurrentVersion,
  'verdict' | 'pValue' | 'level' | 'testedWithin' | 'explainedBy' | 'notSeparatedFrom'
> & {
  difference?: number
}

function effectOf(answers: Observation[], version: string | null, all: Table): Effect {
  const isOwn = (one: Observation) => one.version === version
  const table = tableForGroup(all, 'version', answers.map(isOwn))
  const [own, rest] = [answers.filter(isOwn), answers.filter((one) => !isOwn(one))]
  const direction = negativeShare(own).share >= negativeShare(rest).share ? 'more' : 'less'
  // Each other version is one more occasion to find a difference by chance.
  const others = [...groupBy(rest, (one) => one.version)].filter(
    ([, group]) => group.length >= minAnswers.others,
  )
  const alpha = (direction === 'more' ? worseLevel : betterLevel) / Math.max(1, others.length)
  const test = testFactors(table, direction)
  const testedWithin = test.tested.map(({ factor }) => factor)
  const pValue = largestPValue(test, testedWithin)
  const base = { pValue, level: alpha, testedWithin, explainedBy: undefined, notSeparatedFrom: [] }
  // A version that does not look worse in all answers together may be worse for each kind of task.
  const hidden =
    direction === 'less' || test.crude.pValue >= alpha ? hiddenEffect(table, answers, version) : undefined
  if (hidden) return hidden
  if (test.crude.pValue >= alpha) return { ...base, verdict: 'no-difference' }
  if (pValue < alpha) {
    const day = strongestDay(table, direction)
    if (day !== undefined && largestPValue(testFactors(table, direction, day), testedWithin) >= alpha)
      return { ...base, verdict: 'explained', explainedBy: { day } }
    const time = isSeparatedFromTime([answers], version, direction) ? [] : ['time']
    const verdict = direction === 'more' ? 'worse' : 'better'
    return { ...base, verdict, notSeparatedFrom: [...test.untested, ...time] }
  }
  const explaining = test.tested
    .filter((one) => one.pValue >= alpha && Math.abs(one.logOdds) <= Math.abs(one.crudeLogOdds) / 2)
    .sort((a, b) => Math.abs(a.logOdds) - Math.abs(b.logOdds))[0]
  if (explaining) return { ...base, verdict: 'explained', explainedBy: explaining.factor }
  const leastCertain = test.tested.reduce((a, b) => (b.pValue > a.pValue ? b : a))
  return { ...base, verdict: 'not-confirmed', explainedBy: leastCertain.factor }
}

/**
 * The effect if the version is worse within the values of a factor although its negative share in
 * all answers does not show it, because the mix of these values differs between the versions.
 */
function hiddenEffect(table: GroupTable, answers: Observation[], version: string | null): Effect | undefined {
  const { tested } = testFactors(table, 'more')
  const alpha = hiddenLevel / Math.max(1, tested.length)
  const best = tested
    .filter(({ pValue, strata }) => pValue < alpha && mixDiffers(strata))
    .sort((a, b) => a.pValue - b.pValue)[0]
  if (!best) return undefined
  const day = strongestDay(table, 'more')
  const without = day === undefined ? tested : testFactors(table, 'more', day).tested
  if (!without.some(({ factor, pValue }) => factor === best.factor && pValue < alpha)) return undefined
  const known = answers.filter((one) => isKnown(one, best.factor))
  const byValue = [...groupBy(known, (one) => factorValue(one, best.factor)).values()]
  return {
    verdict: 'worse-hidden',
    difference: best.difference,
    pValue: best.pValue * tested.length,
    level: hiddenLevel,
    testedWithin: [best.factor],
    explainedBy: undefined,
    notSeparatedFrom: isSeparatedFromTime(byValue, version, 'more') ? [] : ['time'],
  }
}

/** Whether a value of the factor is more or less frequent in the version than in the others. */
function mixDiffers(strata: Stratum[]): boolean {
  const [own, all] = [sum(strata, ({ n }) => n), sum(strata, ({ total }) => total)]
  return strata.some(({ n, total }) => {
    const others = { count: total - n, n: all - own }
    return differencePValue({ count: n, n: own }, others) < mixLevel / strata.length
  })
}

/**
 * Whether a step at the release explains the difference within the strata clearly better than a
 * negative share that changes evenly over the days.
 */
function isSeparatedFromTime(
  strata: Observation[][],
  version: string | null,
  direction: 'more' | 'less',
): boolean {
  const trendBy = (position: (one: Observation) => number) =>
    trendWithin(
      strata.map((answers) =>
        [...groupBy(answers, position)].map(([at, group]) => ({ at, ...negativeShare(group) })),
      ),
    )
  const from = strata.flat().reduce((first, { day }) => Math.min(first, day), Number.POSITIVE_INFINITY)
  const lead = trendBy((one) => (one.version === version ? 1 : 0)) - trendBy(({ day }) => day - from)
  return (direction === 'more' ? lead : -lead) >= minLeadOverTrend
}

/** The last used of the other versions with enough answers, if it is significantly better. */
function findVersionToGoBackTo(own: Observation[], rest: Observation[]): string | undefined {
  const [lastUsed] = [...groupBy(rest, ({ version }) => version)]
    .filter(([version, group]) => version !== null && group.length >= minAnswers.others)
    .sort(([, a], [, b]) => b[0]!.createdAt - a[0]!.createdAt)
  if (!lastUsed) return undefined
  const [version, answers] = lastUsed
  const [now, before] = [negativeShare(own), negativeShare(answers)]
  const stratum = { ...now, hits: now.count + before.count, total: now.n + before.n }
  const { pValue } = testWithinStrata([stratum], 'more')
  return pValue < worseLevel ? (version ?? undefined) : undefined
}
