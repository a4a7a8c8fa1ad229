import { expect, test } from 'vitest'
import { type Stratum, testWithinStrata } from './stratified-test.ts'

/** From counts of negative and other answers of both groups. */
const stratum = ([a, b]: [number, number], [c, d]: [number, number]): Stratum => ({
  ...{ count: a, n: a + b, hits: a + c, total: a + b + c + d },
})

test('the test agrees with the formula, computed here from the same table', () => {
  const strata = [stratum([30, 70], [15, 85]), stratum([12, 48], [20, 120])]
  const excess = 30 - (100 * 45) / 200 + 12 - (60 * 32) / 200
  const variance = (100 * 100 * 45 * 155) / (200 * 200 * 199) + (60 * 140 * 32 * 168) / (200 * 200 * 199)
  const z = (excess - 0.5) / Math.sqrt(variance)
  // By numerical integration of the normal density.
  let tail = 0
  const step = 1e-4
  for (let x = z; x < 9; x += step)
    tail += (Math.exp(-((x + step / 2) ** 2) / 2) / Math.sqrt(2 * Math.PI)) * step
  expect(testWithinStrata(strata, 'more').pValue).toBeCloseTo(tail, 5)
  const oddsRatio = ((30 * 85) / 200 + (12 * 120) / 200) / ((70 * 15) / 200 + (48 * 20) / 200)
  expect(testWithinStrata(strata, 'more').logOdds).toBeCloseTo(Math.log(oddsRatio), 1)
})

test('with few answers the exact conditional test is used: all orders of the same margins are counted', () => {
  const strata = [stratum([3, 1], [1, 4]), stratum([2, 1], [0, 3])]
  // Each way to choose which answers of a stratum are negative is equally likely.
  const counts = (n: number, total: number, hits: number) => {
    const found: number[] = []
    for (let chosen = 0; chosen < 2 ** total; chosen++) {
      const bits = [...chosen.toString(2).padStart(total, '0')].map(Number)
      if (bits.reduce((a, b) => a + b, 0) === hits) found.push(bits.slice(0, n).reduce((a, b) => a + b, 0))
    }
    return found
  }
  const [one, other] = [counts(4, 9, 4), counts(3, 6, 2)]
  const sums = one.flatMap((a) => other.map((b) => a + b))
  const expected = (isExtreme: (sum: number) => boolean) => sums.filter(isExtreme).length / sums.length
  expect(testWithinStrata(strata, 'more').pValue).toBeCloseTo(
    expected((sum) => sum >= 5),
    10,
  )
  expect(testWithinStrata(strata, 'less').pValue).toBeCloseTo(
    expected((sum) => sum <= 5),
    10,
  )
})

test('strata in which nothing can differ say nothing', () => {
  const empty = [stratum([5, 5], [0, 0]), stratum([0, 8], [0, 9]), stratum([4, 0], [7, 0])]
  expect(testWithinStrata(empty, 'more')).toMatchObject({ pValue: 1, informative: 0 })
})
