import type { Figures } from './figures.ts'

export const minAnswers = 10
export const maxNegativeShare = 0.1

export type Health = { isHealthy: boolean; tooFew: boolean; tooNegative: boolean; newestIsWorse: boolean }

/** Computed from counts alone, so that nothing people wrote can influence it. */
export function healthOf({
  answers,
  negative,
  versions,
}: Pick<Figures, 'answers' | 'negative' | 'versions'>): Health {
  const tooFew = answers < minAnswers
  const tooNegative = !tooFew && negative.low > maxNegativeShare
  const newestIsWorse = !tooFew && versions.some(({ isNewest, verdict }) => isNewest && verdict === 'worse')
  return { isHealthy: !tooNegative && !newestIsWorse, tooFew, tooNegative, newestIsWorse }
}
