import { differencePValue, type Share, sum, trendOver } from './proportions.ts'
import { negativeShare, type Stratum, testWithinStrata } from './stratified-test.ts'

/** One answer, reduced to what could explain it. */
export type Observation = {
  /** null: tasks without a version form one version. */
  version: string | null
  createdAt: number
  /** The day on which it was answered, as a number. */
  day: number
  isNegative: boolean
  reviewer: string
  /** Short values of the context and the metadata, by the path of their field. */
  fields: Record<string, string>
}

/** What could explain a difference instead of the version: the reviewer, the weekend, or the path of a field. */
export type Factor = 'reviewer' | 'weekend' | (string & {})

/** The version that runs now, compared with all others. */
export type CurrentVersion = {
  version: string | null
  /** Its newest answers, by which its health is judged. */
  newest: Share
  all: Share
  others: Share
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
    | 'no difference'
    | 'too few'
    | 'the only one'
  /** The largest p-value over all answers and the tested factors. */
  pValue: number | undefined
  testedWithin: Factor[]
  explainedBy: Factor | { day: number } | undefined
  /** Too few answers of the current version can be compared within these; or the share changes with time anyway. */
  notSeparatedFrom: (Factor | 'time')[]
  /** The newest of the other versions that is better than this one beyond doubt. */
  goBackTo: string | undefined
}

const newestForHealth = 200
const newestTasks = 50
const minShareOfNewest = 0.2
const minAnswers = { current: 10, others: 20 }
const level = 0.05
const betterLevel = 0.025
const maxFactors = 20
const maxValues = 10
const minDays = 5
/** By how much the step at the release must fit better than a straight line over the days, in standard errors. */
const minLeadOverTrend = 0.5

/** `answers` are newest first. Undefined without any. */
export function judgeCurrentVersion(answers: Observation[]): CurrentVersion | undefined {
  const current = findCurrent(answers)
  if (current === undefined) return undefined
  const { version } = current
  const own = answers.filter((one) => one.version === version)
  const rest = answers.filter((one) => one.version !== version)
  const base = {
    version,
    newest: negativeShare(own.slice(0, newestForHealth)),
    all: negativeShare(own),
    others: negativeShare(rest),
    pValue: undefined,
    testedWithin: [],
    explainedBy: undefined,
    notSeparatedFrom: [],
    goBackTo: undefined,
  }
  if (rest.length === 0) return { ...base, verdict: 'the only one' }
  if (own.length < minAnswers.current || rest.length < minAnswers.others)
    return { ...base, verdict: 'too few' }
  const effect = effectOf(answers, version)
  const isWorse = effect.verdict === 'worse' || effect.verdict === 'worse, hidden'
  const goBackTo = isWorse && !effect.notSeparatedFrom.includes('time') ? betterVersion(own, rest) : undefined
  return { ...base, ...effect, goBackTo }
}

/** The newest-begun version among those with at least a fifth of the newest tasks. */
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

type Effect = Pick<CurrentVersion, 'verdict' | 'pValue' | 'testedWithin' | 'explainedBy' | 'notSeparatedFrom'>

function effectOf(answers: Observation[], version: string | null): Effect {
  const table = tabulate(answers, version)
  const [own, rest] = [
    answers.filter((one) => one.version === version),
    answers.filter((one) => one.version !== version),
  ]
  const direction = negativeShare(own).share >= negativeShare(rest).share ? 'more' : 'less'
  const alpha = direction === 'more' ? level : betterLevel
  const test = testFactors(table, direction)
  const pValue = largestPValue(test, test.tested)
  const testedWithin = test.tested.map(({ factor }) => factor)
  const base = { pValue, testedWithin, explainedBy: undefined, notSeparatedFrom: [] }
  if (test.crude.pValue >= alpha) return hiddenEffect(table, answers) ?? { ...base, verdict: 'no difference' }
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
function hiddenEffect(table: Table, answers: Observation[]): Effect | undefined {
  const { tested } = testFactors(table, 'more')
  const alpha = level / Math.max(1, tested.length)
  const best = tested
    .filter(({ pValue, strata }) => pValue < alpha && mixDiffers(strata))
    .sort((a, b) => a.pValue - b.pValue)[0]
  if (!best) return undefined
  const day = strongestDay(table, 'more')
  const without = day === undefined ? [] : testFactors(table, 'more', day).tested
  if (without.some(({ factor, pValue }) => factor === best.factor && pValue >= alpha)) return undefined
  return {
    verdict: 'worse, hidden',
    pValue: best.pValue * tested.length,
    testedWithin: [best.factor],
    explainedBy: undefined,
    notSeparatedFrom: isSeparatedFromTime(answers, table.version) ? [] : ['time'],
  }
}

/** The answers as columns, because they are counted many times. */
type Table = {
  version: string | null
  isOwn: boolean[]
  isNegative: boolean[]
  day: number[]
  /** The values as numbers from 0. */
  factors: { factor: Factor; values: number[]; size: number }[]
}

function tabulate(answers: Observation[], version: string | null): Table {
  const factors = ['reviewer', 'weekend', ...fieldsOf(answers)].map((factor) => {
    const numbers = new Map<string, number>()
    const values = answers.map((one) => {
      const value = factorValue(one, factor)
      const known = numbers.get(value) ?? numbers.size
      numbers.set(value, known)
      return known
    })
    return { factor, values, size: numbers.size }
  })
  return {
    version,
    isOwn: answers.map((one) => one.version === version),
    isNegative: answers.map((one) => one.isNegative),
    day: answers.map((one) => one.day),
    factors: factors.filter(({ size }) => size > 1),
  }
}

/** With `without`, the answers of that day are left out. */
function testFactors(table: Table, direction: 'more' | 'less', without?: number) {
  const count = (values: number[] | undefined, size: number) => countStrata(table, values, size, without)
  const all = count(undefined, 1)
  const tests = table.factors.map(({ factor, values, size }) => {
    const strata = count(values, size)
    return { factor, strata, ...testWithinStrata(strata, direction) }
  })
  const isTested = ({ informative }: { informative: number }) => informative >= all[0]!.n / 2
  return {
    crude: testWithinStrata(all, direction),
    tested: tests.filter(isTested),
    untested: tests.filter((test) => !isTested(test)).map(({ factor }) => factor),
  }
}

function countStrata(
  { isOwn, isNegative, day }: Table,
  values: number[] | undefined,
  size: number,
  without: number | undefined,
): Stratum[] {
  const strata = Array.from({ length: size }, () => ({ count: 0, n: 0, hits: 0, total: 0 }))
  for (const [i, own] of isOwn.entries()) {
    if (day[i] === without) continue
    const stratum = strata[values?.[i] ?? 0]!
    stratum.total++
    if (own) stratum.n++
    if (isNegative[i]) stratum.hits++
    if (own && isNegative[i]) stratum.count++
  }
  return strata
}

type Tests = ReturnType<typeof testFactors>

/** Over all answers and those factors that were tested in the first place. */
function largestPValue({ crude, tested }: Tests, wanted: Tests['tested']): number {
  const names = new Set(wanted.map(({ factor }) => factor))
  const relevant = tested.filter(({ factor }) => names.has(factor))
  return Math.max(crude.pValue, ...relevant.map(({ pValue }) => pValue))
}

/** The paths of fields that have 2 to 10 different values, the most frequent ones first. */
export function fieldsOf(answers: Observation[]): string[] {
  const values = new Map<string, Set<string>>()
  const counts = new Map<string, number>()
  for (const { fields } of answers) {
    for (const [path, value] of Object.entries(fields)) {
      const known = values.get(path) ?? new Set()
      if (known.size <= maxValues) values.set(path, known.add(value))
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  return [...values]
    .filter(([path, { size }]) => size <= maxValues && (size > 1 || counts.get(path)! < answers.length))
    .map(([path]) => path)
    .sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1))
    .slice(0, maxFactors)
}

export function factorValue({ reviewer, day, fields }: Observation, factor: Factor): string {
  if (factor === 'reviewer') return reviewer
  // 1 January 1970 was a Thursday.
  if (factor === 'weekend') return (day + 4) % 7 === 0 || (day + 4) % 7 === 6 ? 'weekend' : 'weekday'
  return Object.hasOwn(fields, factor) ? fields[factor]! : ''
}

function mixDiffers(strata: Stratum[]): boolean {
  const [own, all] = [sum(strata, ({ n }) => n), sum(strata, ({ total }) => total)]
  return strata.some(({ n, total }) => {
    const others = { count: total - n, n: all - own }
    return differencePValue({ count: n, n: own }, others) < level / strata.length
  })
}

/** The day that contributes most to the difference. Undefined if the version was answered on fewer than five days. */
function strongestDay({ isOwn, isNegative, day }: Table, direction: 'more' | 'less'): number | undefined {
  if (new Set(day.filter((_, i) => isOwn[i])).size < minDays) return undefined
  const share = isNegative.filter(Boolean).length / isNegative.length
  const contributions = new Map<number, number>()
  for (const [i, at] of day.entries()) {
    const excess = ((isNegative[i] ? 1 : 0) - share) * (isOwn[i] ? 1 : -1)
    contributions.set(at, (contributions.get(at) ?? 0) + (direction === 'more' ? excess : -excess))
  }
  return [...contributions].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
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
  return pValue < level ? (newest[0] ?? undefined) : undefined
}

function groupBy<Key>(answers: Observation[], keyOf: (one: Observation) => Key): Map<Key, Observation[]> {
  const groups = new Map<Key, Observation[]>()
  for (const one of answers) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
