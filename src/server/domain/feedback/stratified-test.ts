import { sum, twoSided } from './proportions.ts'

/**
 * The two-by-two table of one stratum: `count` of the `n` answers of the first group are negative, and
 * `hits` of the `total` answers of both groups.
 */
export type Stratum = { count: number; n: number; hits: number; total: number }

export type StratifiedTest = {
  /**
   * One-sided: the probability of a difference at least this large in the tested direction if the
   * groups do not differ.
   */
  pValue: number
  /** The natural logarithm of the Mantel-Haenszel odds ratio. */
  logOdds: number
  /** The natural logarithm of the odds ratio of the same answers without strata. */
  crudeLogOdds: number
  /** The Mantel-Haenszel difference of the shares within the strata. */
  difference: number
  /**
   * The number of the first group's answers in informative strata: those with answers of both groups,
   * and with negative and other answers.
   */
  informative: number
}

// The normal approximation is used if the possible counts extend at least this far from the expected
// count on both sides (criterion of Mantel and Fleiss). Otherwise it would be too optimistic.
const minRange = 5

/** The Cochran-Mantel-Haenszel test: whether the first group differs within the strata, in one direction. */
export function testWithinStrata(strata: Stratum[], direction: 'more' | 'less'): StratifiedTest {
  const used = strata.filter(
    ({ n, hits, total }) => total > 1 && n > 0 && n < total && hits > 0 && hits < total,
  )
  const sign = direction === 'more' ? 1 : -1
  let [excess, variance, above, below] = [0, 0, 0, 0]
  let [agreeing, opposing] = [0, 0]
  let [gap, weight] = [0, 0]
  for (const { count, n, hits, total } of used) {
    const expected = (n * hits) / total
    excess += count - expected
    variance += (n * (total - n) * hits * (total - hits)) / (total * total * (total - 1))
    above += Math.min(n, hits) - expected
    below += expected - Math.max(0, n + hits - total)
    agreeing += (count * (total - n - (hits - count))) / total
    opposing += ((n - count) * (hits - count)) / total
    gap += (count * (total - n) - (hits - count) * n) / total
    weight += (n * (total - n)) / total
  }
  const isLarge = Math.min(above, below) >= minRange
  const pValue =
    used.length === 0
      ? 1
      : isLarge
        ? upperTail((sign * excess - 0.5) / Math.sqrt(variance))
        : exactPValue(used, direction)
  return {
    pValue,
    // Adding 0.5 to both sides keeps the ratio finite.
    logOdds: Math.log((agreeing + 0.5) / (opposing + 0.5)),
    crudeLogOdds: crudeLogOdds(used),
    difference: weight === 0 ? 0 : gap / weight,
    informative: sum(used, ({ n }) => n),
  }
}

function crudeLogOdds(strata: Stratum[]): number {
  const count = sum(strata, (one) => one.count)
  const n = sum(strata, (one) => one.n)
  const hits = sum(strata, (one) => one.hits)
  const total = sum(strata, (one) => one.total)
  if (total === 0) return 0
  const odds =
    ((count + 0.5) * (total - n - (hits - count) + 0.5)) / ((n - count + 0.5) * (hits - count + 0.5))
  return Math.log(odds)
}

/**
 * The exact conditional test. Given the margins of its stratum, each count has a hypergeometric
 * distribution, and the sum of the counts has the convolution of these distributions.
 */
function exactPValue(strata: Stratum[], direction: 'more' | 'less'): number {
  let sums = [1]
  let lowest = 0
  let seen = 0
  for (const stratum of strata) {
    const { from, chances } = hypergeometric(stratum)
    const next = new Array<number>(sums.length + chances.length - 1).fill(0)
    for (const [i, p] of sums.entries())
      for (const [j, q] of chances.entries()) next[i + j] = next[i + j]! + p * q
    sums = next
    lowest += from
    seen += stratum.count
  }
  const at = seen - lowest
  const part = direction === 'more' ? sums.slice(at) : sums.slice(0, at + 1)
  return Math.min(
    1,
    sum(part, (p) => p),
  )
}

function hypergeometric({ n, hits, total }: Stratum): { from: number; chances: number[] } {
  const from = Math.max(0, n + hits - total)
  const to = Math.min(n, hits)
  const logs: number[] = [0]
  for (let k = from; k < to; k++)
    logs.push(logs.at(-1)! + Math.log(((hits - k) * (n - k)) / ((k + 1) * (total - hits - n + k + 1))))
  const highest = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - highest))
  const all = sum(weights, (weight) => weight)
  return { from, chances: weights.map((weight) => weight / all) }
}

/** The probability that a standard normal value exceeds `z`. */
function upperTail(z: number): number {
  return z > 0 ? twoSided(z) / 2 : 1 - twoSided(z) / 2
}
