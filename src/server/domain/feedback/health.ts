import { limits } from '../../../contract/limits.ts'
import type { Figures } from './figures.ts'
import { type Share, shareOf } from './proportions.ts'

export type FeedbackHealth = {
  isHealthy: boolean
  /**
   * There are too few answers to judge. All other flags are false then, and `isHealthy` is true.
   */
  tooFew: boolean
  /** The lower bound of the negative share is above the limit of a healthy one. */
  tooNegative: boolean
  /** The version that runs now is worse than the others. */
  currentIsWorse: boolean
  /** A candidate that the sender marked as its own loses in a comparison. */
  ownCandidateLoses: boolean
}

/** Judges the version that runs now: what older versions got wrong is no reason to change it. */
export function healthOf({ current, comparisons }: Pick<Figures, 'current' | 'comparisons'>): FeedbackHealth {
  const isWorse = current?.verdict === 'worse' || current?.verdict === 'worse-hidden'
  const loses = comparisons.some(({ ownCandidates }) => ownCandidates.some((one) => one.loses))
  return judgeHealth(current?.newestAnswers ?? shareOf(0, 0), isWorse, loses)
}

/** Computed from counts alone, so that nothing people wrote can influence it. */
export function judgeHealth(newest: Share, isWorse: boolean, loses: boolean): FeedbackHealth {
  const tooFew = newest.n < limits.answersToJudge
  const tooNegative = !tooFew && newest.low > limits.healthyNegativeShare
  const currentIsWorse = !tooFew && isWorse
  const ownCandidateLoses = !tooFew && loses
  const isHealthy = !tooNegative && !currentIsWorse && !ownCandidateLoses
  return { isHealthy, tooFew, tooNegative, currentIsWorse, ownCandidateLoses }
}
