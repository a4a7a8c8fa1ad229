import {
  type GroupTable,
  largestPValue,
  splitByGroup,
  strongestDay,
  type Table,
  testFactors,
} from './factor-tests.ts'
import { type Factor, groupBy, type Observation } from './observation.ts'
import { differencePValue, exactShareOf, type Share, sum, trendOver } from './proportions.ts'
import { negativeShare, type Stratum, testWithinStrata } from './stratified-test.ts'

/** The version that runs now, compared with all others. */
export type CurrentVersion = {
  version: string | null
  /** Its newest answers, by which its health is judged. */
  newest: Share
  all: Share
  others: Share
  /** The version that would be current without this one. */
  previous: Share | undefined
  /**
   * - worse, better: in all answers and within each factor that could be tested.
   * - worse, hidden: only within a factor whose values are distributed differently over the versions.
   * - explained: the difference disappears within `explainedBy`, or without its strongest day.
   * - not confirmed: it is there in all answers, but too small to be certain within `explainedBy`.
   */
  verdict:
    | 'worse'
    | 'worse, hidden'
    | 'better'
    | 'explained'
    | 'not confirmed'
    | 'no-difference'
    | 'too-few'
    | 'the only one'
  /** How much larger its negative share is: in all answers, or if that hides it, within the factor. */
  difference: number
  /** The largest p-value over all answers and the tested factors. */
  pValue: number | undefined
  /** One-sided, after correction for the number of other versions. Undefined if nothing was tested. */
  level: number | undefined
  testedWithin: Factor[]
  explainedBy: Factor | { day: number } | undefined
  /** Too few answers of the current version can be compared within these; or the share changes with time anyway. */
  notSeparatedFrom: (Factor | 'time')[]
  /** The newest other version with enough answers, if a test of its own finds it better. Undefined if it is not separated from time. */
  goBackTo: string | undefined
}

const newestForHealth = 200
const newestTasks = 50
const minShareOfNewest = 0.2
const minAnswers = { current: 10, others: 20 }
const level = 0.05
// Stricter, because an analysis that is repeated every day has more than one chance to be wrong.
const worseLevel = 0.035
const betterLevel = 0.025
/** By how much the step at the release must fit better than a straight line over the days, in standard errors. */
const minLeadOverTrend = 0.5

/** `answers` are newest first, and `table` has their factors. Undefined without any. */
export function judgeCurrentVersion(answers: Observation[], table: Table): CurrentVersion | undefined {
  const current = findCurrent(answers)
  if (current === undefined) return undefined
  const { version } = current
  const own = answers.filter((one) => one.version === version)
  const rest = answers.filter((one) => one.version !== version)
  const previous = findCurrent(rest)
  const base = {
    version,
    newest: exactShareOf(negativeShare(own.slice(0, newestForHealth))),
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
  if (rest.length === 0) return { ...base, verdict: 'the only one' }
  if (own.length < minAnswers.current || rest.length < minAnswers.others)
    return { ...base, verdict: 'too-few' }
  const effect = effectOf(answers, version, table)
  const isWorse = effect.verdict === 'worse' || effect.verdict === 'worse, hidden'
  const goBackTo = isWorse && !effect.notSeparatedFrom.includes('time') ? betterVersion(own, rest) : undefined
  return { ...base, ...effect, goBackTo }
}

/** Of the versions with at least a fifth of the newest tasks, the one that was introduced last. */
function findCurrent(answers: Observation[]): { version: string | null } | undefined {
  const newest = [...answers].sort((a, b) => b.createdAt - a.createdAt).slice(0, newestTasks)
  const counts = groupBy(newest, ({ version }) => version)
  const began = new Map<string | null, number>()
  for (const { version, createdAt } of answers)
    began.set(version, Math.min(began.get(version) ?? createdAt, createdAt))
  const candidates = [...counts]
    .filter(([, tasks]) => tasks.length >= minShareOfNewest * newest.length)
    .sort(([a], [b]) => began.get(b)! - began.get(a)!)
  return candidates[0] && { version: candidates[0][0] }
}

type Effect = Pick<
  CurrentVersion,
  'verdict' | 'pValue' | 'level' | 'testedWithin' | 'explainedBy' | 'notSeparatedFrom'
> & {
  difference?: number
}

function effectOf(answers: Observation[], version: string | null, all: Table): Effect {
  const isOwn = (one: Observation) => one.version === version
  const table = splitByGroup(all, 'version', answers.map(isOwn))
  const [own, rest] = [answers.filter(isOwn), answers.filter((one) => !isOwn(one))]
  const direction = negativeShare(own).share >= negativeShare(rest).share ? 'more' : 'less'
  // With every other version there was one more look at which it could have been worse.
  const others = [...groupBy(rest, (one) => one.version)].filter(
    ([, group]) => group.length >= minAnswers.others,
  )
  const alpha = (direction === 'more' ? worseLevel : betterLevel) / Math.max(1, others.length)
  const test = testFactors(table, direction)
  const pValue = largestPValue(test, test.tested)
  const testedWithin = test.tested.map(({ factor }) => factor)
  const base = { pValue, level: alpha, testedWithin, explainedBy: undefined, notSeparatedFrom: [] }
  // Even if it looks better in all answers, it may be worse for each kind of task.
  const hidden =
    direction === 'less' || test.crude.pValue >= alpha ? hiddenEffect(table, answers, version) : undefined
  if (hidden) return hidden
  if (test.crude.pValue >= alpha) return { ...base, verdict: 'no-difference' }
  if (pValue < alpha) {
    const day = strongestDay(table, direction)
    if (day !== undefined && largestPValue(testFactors(table, direction, day), test.tested) >= alpha)
      return { ...base, verdict: 'explained', explainedBy: { day } }
    const time = isSeparatedFromTime(answers, version) ? [] : ['time']
    const verdict = direction === 'more' ? 'worse' : 'better'
    return { ...base, verdict, notSeparatedFrom: [...test.untested, ...time] }
  }
  const explaining = test.tested
    .filter((one) => one.pValue >= alpha && Math.abs(one.logOdds) <= Math.abs(one.crudeLogOdds) / 2)
    .sort((a, b) => Math.abs(a.logOdds) - Math.abs(b.logOdds))[0]
  if (explaining) return { ...base, verdict: 'explained', explainedBy: explaining.factor }
  const unclear = test.tested.reduce((a, b) => (b.pValue > a.pValue ? b : a))
  return { ...base, verdict: 'not confirmed', explainedBy: unclear.factor }
}

/** Worse within the values of a field, while the version gets so many easy ones that its share does not show it. */
function hiddenEffect(table: GroupTable, answers: Observation[], version: string | null): Effect | undefined {
  const { tested } = testFactors(table, 'more')
  const alpha = level / Math.max(1, tested.length)
  const best = tested
    .filter(({ pValue, strata }) => pValue < alpha && mixDiffers(strata))
    .sort((a, b) => a.pValue - b.pValue)[0]
  if (!best) return undefined
  const day = strongestDay(table, 'more')
  const without = day === undefined ? tested : testFactors(table, 'more', day).tested
  if (!without.some(({ factor, pValue }) => factor === best.factor && pValue < alpha)) return undefined
  return {
    verdict: 'worse, hidden',
    difference: best.difference,
    pValue: best.pValue * tested.length,
    level,
    testedWithin: [best.factor],
    explainedBy: undefined,
    notSeparatedFrom: isSeparatedFromTime(answers, version) ? [] : ['time'],
  }
}

function mixDiffers(strata: Stratum[]): boolean {
  const [own, all] = [sum(strata, ({ n }) => n), sum(strata, ({ total }) => total)]
  return strata.some(({ n, total }) => {
    const others = { count: total - n, n: all - own }
    return differencePValue({ count: n, n: own }, others) < level / strata.length
  })
}

/** Whether the release explains the answers clearly better than a share that changes evenly over the days. */
function isSeparatedFromTime(answers: Observation[], version: string | null): boolean {
  const isOwn = (one: Observation) => one.version === version
  const groups = [...groupBy(answers, ({ day }) => day)].map(([at, group]) => ({
    at,
    count: group.filter(({ isNegative }) => isNegative).length,
    n: group.length,
  }))
  const from = Math.min(...groups.map(({ at }) => at))
  const trend = trendOver(groups.map((one) => ({ ...one, at: one.at - from })))
  const step = trendOver(
    [answers.filter((one) => !isOwn(one)), answers.filter(isOwn)].map((group, at) => ({
      at,
      count: group.filter(({ isNegative }) => isNegative).length,
      n: group.length,
    })),
  )
  return Math.abs(step) - Math.abs(trend) >= minLeadOverTrend
}

function betterVersion(own: Observation[], rest: Observation[]): string | undefined {
  const versions = [...groupBy(rest, ({ version }) => version)]
    .filter(([version, group]) => version !== null && group.length >= minAnswers.others)
    .sort(([, a], [, b]) => b[0]!.createdAt - a[0]!.createdAt)
  const newest = versions[0]
  if (!newest) return undefined
  const [now, then] = [negativeShare(own), negativeShare(newest[1])]
  const pair = { ...now, hits: now.count + then.count, total: now.n + then.n }
  const { pValue } = testWithinStrata([pair], 'more')
  return pValue < worseLevel ? (newest[0] ?? undefined) : undefined
}
