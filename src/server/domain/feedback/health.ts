import { limits } from '../../../contract/limits.ts'
import type { Figures } from './figures.ts'
import { type Share, shareOf } from './proportions.ts'

export type Health = { isHealthy: boolean; tooFew: boolean; tooNegative: boolean; newestIsWorse: boolean }

/** Of the version that runs now: what older ones got wrong is no longer a reason to change anything. */
export function healthOf({ current }: Pick<Figures, 'current'>): Health {
  const isWorse = current?.verdict === 'worse' || current?.verdict === 'worse, hidden'
  return judgeHealth(current?.newest ?? shareOf(0, 0), isWorse)
}

/** Computed from counts alone, so that nothing people wrote can influence it. */
export function judgeHealth(newest: Share, isWorse: boolean): Health {
  const tooFew = newest.n < limits.answersToJudge
  const tooNegative = !tooFew && newest.low > limits.healthyNegativeShare
  const newestIsWorse = !tooFew && isWorse
  return { isHealthy: !tooNegative && !newestIsWorse, tooFew, tooNegative, newestIsWorse }
}
