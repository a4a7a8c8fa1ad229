import { expect, test } from 'vitest'
import { medianSamplesUntilPause } from './expected-delay.ts'

test('the medians are those that were simulated for the contract', () => {
  expect(medianSamplesUntilPause(0.1, 0.02)).toBeGreaterThan(25)
  expect(medianSamplesUntilPause(0.1, 0.02)).toBeLessThan(45)
  expect(medianSamplesUntilPause(0.05, 0.02)).toBeGreaterThan(95)
  expect(medianSamplesUntilPause(0.05, 0.02)).toBeLessThan(175)
  expect(medianSamplesUntilPause(0.2, 0.02, true)).toBeGreaterThan(8)
  expect(medianSamplesUntilPause(0.2, 0.02, true)).toBeLessThan(24)
})

test('a rule far below its allowed disagreement is not expected to pause', () => {
  expect(medianSamplesUntilPause(0.005, 0.02)).toBeUndefined()
})
