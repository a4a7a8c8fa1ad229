import { expect, test } from 'vitest'
import { addSample, noEvidence, pauseReason } from './evidence.ts'
import { createEvidence, medianSamplesUntilPause } from './expected-delay.ts'

test('the medians are close to those of 100,000 simulated rules', () => {
  expect(Math.abs(medianSamplesUntilPause(0.1, 0.02)! - 37)).toBeLessThanOrEqual(4)
  expect(Math.abs(medianSamplesUntilPause(0.05, 0.02)! - 130)).toBeLessThanOrEqual(15)
  expect(Math.abs(medianSamplesUntilPause(0.2, 0.02, true)! - 15)).toBeLessThanOrEqual(3)
})

test('a rule at or below its allowed disagreement is not expected to pause', () => {
  expect(medianSamplesUntilPause(0.005, 0.02)).toBeUndefined()
  expect(medianSamplesUntilPause(0.01, 0.02)).toBeUndefined()
})

test.each([0.005, 0.02, 0.2])('simulated evidence is that of real rules (allowed: %f)', (allowed) => {
  const simulated = createEvidence(allowed)
  let real = noEvidence
  const reasons = new Set<string>()
  for (let n = 0; n < 2_000; n++) {
    // 600 samples that agree, then 100 of which most do not.
    const agrees = n % 700 < 600 || n % 3 === 0
    real = addSample(real, agrees, allowed)
    const reason = pauseReason(real)
    expect(simulated.add(agrees)).toBe(reason)
    if (!reason) continue
    reasons.add(reason)
    real = noEvidence
    simulated.clear()
  }
  expect(reasons.size).toBeGreaterThan(0)
})
