import { expect, test } from 'vitest'
import { agreementAtLeast } from './agreement-bound.ts'

// Reference: the smallest share for which this many agreements or more still have the probability
// `level`, by summing the binomial distribution.
function reference(agreed: number, n: number, level: number): number {
  const tail = (share: number) => {
    let term = share ** n
    let sum = term
    for (let k = n - 1; k >= agreed; k--) {
      term *= (((k + 1) / (n - k)) * (1 - share)) / share
      sum += term
    }
    return sum
  }
  let [low, high] = [1e-9, 1 - 1e-9]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (tail(middle) < level) low = middle
    else high = middle
  }
  return low
}

test.each([
  [130, 132, 0.05],
  [402, 405, 0.05 / 40],
  [59, 59, 0.05],
  [1, 3, 0.05],
  [55, 59, 0.01],
  [190, 200, 0.05],
])('%i of %i at level %f is the exact bound', (agreed, n, level) => {
  expect(agreementAtLeast(agreed, n, level)).toBeCloseTo(reference(agreed, n, level), 6)
})

test('59 agreements in a row leave at most 5 % disagreement', () => {
  expect(agreementAtLeast(59, 59)).toBeGreaterThan(0.95)
  expect(agreementAtLeast(58, 58)).toBeLessThan(0.95)
})

test('nothing agreed, or nothing was answered, bounds nothing', () => {
  expect(agreementAtLeast(0, 10)).toBe(0)
  expect(agreementAtLeast(0, 0)).toBe(0)
})
