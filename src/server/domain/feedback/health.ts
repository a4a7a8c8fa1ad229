import { limits } from '../../../contract/limits.ts'
import type { Figures } from './figures.ts'
import { type Share, shareOf } from './proportions.ts'

export type Health = {
  isHealthy: boolean
  tooFew: boolean
  tooNegative: boolean
  currentIsWorse: boolean
  /** A candidate that the sender marked as its own loses in a comparison. */
  oursLoses: boolean
}

/** Judges the version that runs now: what older ones got wrong is no longer a reason to change anything. */
export function healthOf({ current, comparisons }: Pick<Figures, 'current' | 'comparisons'>): Health {
  const isWorse = current?.verdict === 'worse' || current?.verdict === 'worse-hidden'
  const loses = comparisons.some(({ ours }) => ours.some((one) => one.loses))
  return judgeHealth(current?.newest ?? shareOf(0, 0), isWorse, loses)
}

/** Computed from counts alone, so that nothing people wrote can influence it. */
export function judgeHealth(newest: Share, isWorse: boolean, loses = false): Health {
  const tooFew = newest.n < limits.answersToJudge
  const tooNegative = !tooFew && newest.low > limits.healthyNegativeShare
  const currentIsWorse = !tooFew && isWorse
  const oursLoses = !tooFew && loses
  const isHealthy = !tooNegative && !currentIsWorse && !oursLoses
  return { isHealthy, tooFew, tooNegative, currentIsWorse, oursLoses }
}
