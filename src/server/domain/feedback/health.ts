import { limits } from '../../../contract/limits.ts'
import type { Figures } from './figures.ts'

export type Health = { isHealthy: boolean; tooFew: boolean; tooNegative: boolean; newestIsWorse: boolean }

/** Computed from counts alone, so that nothing people wrote can influence it. */
export function healthOf({
  answers,
  negative,
  versions,
}: Pick<Figures, 'answers' | 'negative' | 'versions'>): Health {
  const tooFew = answers < limits.answersToJudge
  const tooNegative = !tooFew && negative.low > limits.healthyNegativeShare
  const newestIsWorse = !tooFew && versions.some(({ isNewest, verdict }) => isNewest && verdict === 'worse')
  return { isHealthy: !tooNegative && !newestIsWorse, tooFew, tooNegative, newestIsWorse }
}
