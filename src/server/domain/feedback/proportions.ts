// Proportions with their confidence intervals and tests, and helpers that count and add. Nothing
// here depends on tasks or answers.
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'

/** `count` of `n`. */
export type Proportion = { count: number; n: number }

/**
 * A proportion as a number, with its 95 % interval: Wilson's from `shareOf`, the exact one from
 * `exactShareOf`.
 */
export type Share = Proportion & { share: number; low: number; high: number }

const z95 = 1.959964

export function shareOf(count: number, n: number): Share {
  if (n === 0) return { count, n, share: 0, low: 0, high: 1 }
  return { count, n, share: count / n, ...wilsonInterval(count, n, z95) }
}

/**
 * The interval that extends `z` standard errors to either side, by Wilson's formula. `n` must be
 * above 0.
 */
export function wilsonInterval(count: number, n: number, z: number): { low: number; high: number } {
  const share = count / n
  const spread = z ** 2 / n
  const middle = (share + spread / 2) / (1 + spread)
  const half = (z * Math.sqrt((share * (1 - share)) / n + spread / (4 * n))) / (1 + spread)
  // Rounding would leave residues such as 1e-17 at the ends.
  return {
    low: count === 0 ? 0 : Math.max(0, middle - half),
    high: count === n ? 1 : Math.min(1, middle + half),
  }
}

/**
 * A share with the exact (Clopper-Pearson) interval, which contains the true share with a
 * probability of at least 95 %. Wilson's interval can be too narrow if `n` is small or the share is near
 * 0 or 1.
 */
export function exactShareOf({ count, n }: Proportion): Share {
  if (n === 0) return shareOf(count, n)
  const tail = 0.025
  return {
    ...shareOf(count, n),
    low: agreementAtLeast(count, n, tail),
    high: 1 - agreementAtLeast(n - count, n, tail),
  }
}

// With a smaller expected count in any cell of the two-by-two table, the normal approximation is
// too optimistic.
const minExpected = 5

/**
 * Two-sided p-value for the difference of two shares: pooled z test, or Fisher's exact test for
 * small counts.
 */
export function differencePValue(one: Proportion, other: Proportion): number {
  const n = one.n + other.n
  const hits = one.count + other.count
  if (one.n === 0 || other.n === 0 || hits === 0 || hits === n) return 1
  const pooled = hits / n
  const smallest = Math.min(one.n, other.n) * Math.min(pooled, 1 - pooled)
  if (smallest < minExpected) return fisher(one.count, one.n, hits, n)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.n + 1 / other.n))
  return twoSided((one.count / one.n - other.count / other.n) / error)
}

/**
 * The share of `one` minus that of `other`, with its 95 % interval by Newcombe, from the Wilson
 * intervals of both.
 */
export function differenceInterval(one: Proportion, other: Proportion) {
  const [a, b] = [shareOf(one.count, one.n), shareOf(other.count, other.n)]
  const difference = a.share - b.share
  return {
    difference,
    low: difference - Math.hypot(a.share - a.low, b.high - b.share),
    high: difference + Math.hypot(a.high - a.share, b.share - b.low),
  }
}

/** The 80 % quantile of the standard normal distribution, for a power of 80 %. */
const zPower = 0.841621

/**
 * The smallest difference of two shares that a two-sided test at this level detects in 80 % of
 * cases, by normal approximation.
 */
export function detectableDifference(one: Proportion, other: Proportion, level: number): number {
  // One added hit and one added miss: without any hits the approximation would claim to detect
  // every difference.
  const pooled = (one.count + other.count + 1) / (one.n + other.n + 2)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.n + 1 / other.n))
  return Math.min(1, (zAt(level) + zPower) * error)
}

/** The z that is exceeded, on either side, with this probability. */
function zAt(probability: number): number {
  let [low, high] = [0, 10]
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2
    if (twoSided(middle) > probability) low = middle
    else high = middle
  }
  return low
}

/**
 * Fisher's exact test, two-sided: the total probability of all tables with these margins that are
 * no more likely than the observed one.
 */
function fisher(seen: number, drawn: number, hits: number, n: number): number {
  const from = Math.max(0, drawn - (n - hits))
  const to = Math.min(drawn, hits)
  const all = logChoose(n, drawn)
  const likelihood = (k: number) => Math.exp(logChoose(hits, k) + logChoose(n - hits, drawn - k) - all)
  const limit = likelihood(seen) * (1 + 1e-7)
  let total = 0
  for (let k = from; k <= to; k++) {
    const p = likelihood(k)
    if (p <= limit) total += p
  }
  return Math.min(1, total)
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k)
}

const logFactorials = [0]

function logFactorial(n: number): number {
  // Stirling with two terms is exact to 1e-9 from here on.
  if (n >= 256) return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3)
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push(logFactorials[i - 1]! + Math.log(i))
  return logFactorials[n]!
}

export function twoSided(z: number): number {
  return erfc(Math.abs(z) / Math.SQRT2)
}

/** Chebyshev approximation from Numerical Recipes, with a relative error of at most 1.2e-7. */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2)
  const fit = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
    1.00002368, -1.26551223,
  ]
  return t * Math.exp(-x * x + fit.reduce((sum, c) => sum * t + c, 0))
}

/**
 * The p-values after Holm's correction, in the same order. At a level of 5 %, the probability that
 * a list contains any false claim is at most 5 %, however long the list is.
 */
export function holmCorrected(pValues: number[]): number[] {
  const order = pValues.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p)
  const result: number[] = []
  let highest = 0
  for (const [rank, { p, i }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (pValues.length - rank)))
    result[i] = highest
  }
  return result
}

/** A proportion at a position in time, such as a day. */
export type ProportionAt = Proportion & { at: number }

/** The z of the Cochran–Armitage trend test. Above 0 the share rises. */
export const trendOver = (days: ProportionAt[]) => trendWithin([days])

/** The same test within strata: the sum of their slopes, divided by its standard deviation. */
export function trendWithin(strata: ProportionAt[][]): number {
  let [slope, variance] = [0, 0]
  for (const days of strata) {
    const n = sum(days, (day) => day.n)
    const p = sum(days, (day) => day.count) / n
    const spread = sum(days, (day) => day.n * day.at ** 2) - sum(days, (day) => day.n * day.at) ** 2 / n
    slope += sum(days, (day) => day.at * (day.count - day.n * p))
    variance += p * (1 - p) * spread
  }
  return variance > 1e-9 ? slope / Math.sqrt(variance) : 0
}

/** Adds to the count of `key`, which starts at 0. */
export function addTo<Key>(counts: Map<Key, number>, key: Key, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

export function sum<T>(list: Iterable<T>, of: (item: T) => number): number {
  let total = 0
  for (const item of list) total += of(item)
  return total
}
