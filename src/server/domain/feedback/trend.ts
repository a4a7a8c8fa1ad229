import {
  type Proportion,
  type ProportionAt,
  type Share,
  shareOf,
  sum,
  trendOver,
  twoSided,
} from './proportions.ts'
import { strongestOf } from './strongest-day.ts'

/**
 * A significant rise or fall of the negative share, with the shares in the older and the newer half
 * of the days.
 */
export type Trend = { direction: 'rises' | 'falls'; before: Share; after: Share; pValue: number }

const trendLevel = 0.01
/**
 * Less strict than `trendLevel`: this test only has to show that the trend does not come from one
 * day.
 */
const trendLevelWithoutDay = 0.05
const minAnswersForTrend = 40
const minDaysForTrend = 4

export function trendOf(days: Map<number, Proportion>, answers: number): Trend | undefined {
  if (answers < minAnswersForTrend || days.size < minDaysForTrend) return undefined
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

function isTrendWithoutStrongestDay(days: ProportionAt[], direction: number): boolean {
  const n = sum(days, (day) => day.n)
  const share = sum(days, (day) => day.count) / n
  const middle = sum(days, (day) => day.at * day.n) / n
  const excess = ({ at, count, n }: ProportionAt) => direction * (at - middle) * (count - n * share)
  const strongest = strongestOf(new Map(days.map((day) => [day.at, excess(day)])))
  if (strongest === undefined) return true
  const from = days[0]!.at
  const left = days.filter(({ at }) => at !== strongest).map((day) => ({ ...day, at: day.at - from }))
  const z = trendOver(left)
  return Math.sign(z) === direction && twoSided(z) < trendLevelWithoutDay
}
