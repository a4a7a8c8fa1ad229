import type { Slices } from '../../lib/event-loop.ts'
import { type Factor, factorValue, isKnown, type Observation } from './observation.ts'
import { addTo, sum } from './proportions.ts'
import { type StratifiedTest, type Stratum, testWithinStrata } from './stratified-test.ts'
import { minDays, strongestOf } from './strongest-day.ts'

/** The answers as columns, because they are counted many times. */
export type Table = {
  isNegative: boolean[]
  day: number[]
  /** The values of each factor as numbers below `size`, or -1 if the value is unknown. */
  factors: { factor: Factor; values: number[]; size: number }[]
}

/** `isOwn`: whether the answer belongs to the group that is compared with all other answers. */
export type GroupTable = Table & { isOwn: boolean[] }

export type FactorTests = {
  /** The test in all answers together. */
  crude: StratifiedTest
  /** The tests within each factor. */
  tested: (StratifiedTest & { factor: Factor; strata: Stratum[] })[]
  /** Factors within which too few of the group's answers can be compared with others. */
  untested: Factor[]
}

/** Factors that have the same value in all answers are left out. */
export function* tabulate(answers: Observation[], factors: Factor[]): Slices<Table> {
  const columns: Table['factors'] = []
  for (const factor of factors) {
    const numbers = new Map<string, number>()
    const values = answers.map((one) => {
      if (!isKnown(one, factor)) return -1
      const value = factorValue(one, factor)
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    })
    if (numbers.size > 1) columns.push({ factor, values, size: numbers.size })
    yield
  }
  return {
    isNegative: answers.map((one) => one.isNegative),
    day: answers.map((one) => one.day),
    factors: columns,
  }
}

/**
 * What `testFactors` needs to compare a group with the rest: the table without the factor that
 * defines the group.
 */
export function tableForGroup(table: Table, groupedBy: Factor, isOwn: boolean[]): GroupTable {
  return { ...table, isOwn, factors: table.factors.filter(({ factor }) => factor !== groupedBy) }
}

/**
 * Compares the group with the rest in all answers, and within each factor. A factor that is unknown
 * for most answers of the group or of the rest is ignored. The answers of `excludedDay` are left
 * out.
 */
export function testFactors(
  table: GroupTable,
  direction: 'more' | 'less',
  excludedDay?: number,
): FactorTests {
  const count = (values: number[] | undefined, size: number) => countStrata(table, values, size, excludedDay)
  const all = count(undefined, 1)
  const { n, total } = all[0]!
  const tests = table.factors.flatMap(({ factor, values, size }) => {
    const strata = count(values, size)
    const knownOwn = sum(strata, (stratum) => stratum.n)
    const knownOthers = sum(strata, (stratum) => stratum.total) - knownOwn
    if (knownOwn < n / 2 || knownOthers < (total - n) / 2) return []
    return { factor, strata, knownOwn, ...testWithinStrata(strata, direction) }
  })
  const isTested = ({ informative, knownOwn }: (typeof tests)[number]) => informative >= knownOwn / 2
  return {
    crude: testWithinStrata(all, direction),
    tested: tests.filter(isTested),
    untested: tests.filter((test) => !isTested(test)).map(({ factor }) => factor),
  }
}

function countStrata(
  { isOwn, isNegative, day }: GroupTable,
  values: number[] | undefined,
  size: number,
  excludedDay: number | undefined,
): Stratum[] {
  const strata = Array.from({ length: size }, () => ({ count: 0, n: 0, hits: 0, total: 0 }))
  for (let i = 0; i < day.length; i++) {
    if (day[i] === excludedDay) continue
    const own = isOwn[i]
    const stratum = strata[values?.[i] ?? 0]
    if (!stratum) continue
    stratum.total++
    if (own) stratum.n++
    if (isNegative[i]) stratum.hits++
    if (own && isNegative[i]) stratum.count++
  }
  return strata
}

/**
 * The largest of the p-values in all answers together and within those of the factors that were
 * tested.
 */
export function largestPValue({ crude, tested }: FactorTests, factors: Factor[]): number {
  const relevant = tested.filter(({ factor }) => factors.includes(factor))
  return Math.max(crude.pValue, ...relevant.map(({ pValue }) => pValue))
}

/**
 * The day that contributes most to the difference between the group and the other answers.
 * Undefined if the group has answers on too few days.
 */
export function strongestDay(
  { isOwn, isNegative, day }: GroupTable,
  direction: 'more' | 'less',
): number | undefined {
  if (new Set(day.filter((_, i) => isOwn[i])).size < minDays) return undefined
  const share = isNegative.filter(Boolean).length / isNegative.length
  const contributions = new Map<number, number>()
  for (let i = 0; i < day.length; i++) {
    const excess = ((isNegative[i] ? 1 : 0) - share) * (isOwn[i] ? 1 : -1)
    addTo(contributions, day[i]!, direction === 'more' ? excess : -excess)
  }
  return strongestOf(contributions)
}
