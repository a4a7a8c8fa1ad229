import type { Figures } from './figures.ts'

export const fewestAnswers = 10
export const mostNegative = 0.1

export type Health = { isHealthy: boolean; tooFew: boolean; tooNegative: boolean; newestIsWorse: boolean }

/** From counts alone: nothing that people wrote can change it. */
export function healthOf({
  answers,
  negative,
  versions,
}: Pick<Figures, 'answers' | 'negative' | 'versions'>): Health {
  const tooFew = answers < fewestAnswers
  const tooNegative = !tooFew && negative.low > mostNegative
  const newestIsWorse = !tooFew && versions.some(({ isNewest, verdict }) => isNewest && verdict === 'worse')
  return { isHealthy: !tooNegative && !newestIsWorse, tooFew, tooNegative, newestIsWorse }
}
