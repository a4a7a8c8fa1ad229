import type { Result, Spread, Target } from './row.ts'

export type Verdict = 'met' | 'missed' | 'unsure'

// How often the true median may lie outside the confidence interval.
const errorRate = 0.1

/**
 * A 90 % confidence interval of the true median, or the outermost rounds if there are fewer than
 * five, which are too few for 90 %. Each round is above or below the median like a coin toss,
 * whatever the distribution of the figures.
 */
export function confidenceInterval({ rounds }: Spread): { low: number; high: number } {
  const sorted = [...rounds].sort((a, b) => a - b)
  const count = sorted.length
  let outside = 0
  while (2 * chanceOfAtMost(outside + 1, count) <= errorRate) outside++
  return { low: sorted[outside]!, high: sorted[count - 1 - outside]! }
}

/** The probability of at most this many heads when as many fair coins are tossed. */
function chanceOfAtMost(heads: number, coins: number): number {
  let combinations = 1
  let sum = 1
  for (let n = 1; n <= heads; n++) {
    combinations = (combinations * (coins - n + 1)) / n
    sum += combinations
  }
  return sum / 2 ** coins
}

function checkTarget(target: Target, { product, ratio }: Result): Verdict {
  const { low, high } = confidenceInterval(target.of === 'ratio' ? ratio! : product)
  const [worse, better] = target.is === 'at least' ? [low, high] : [high, low]
  const meets = (value: number) => (target.is === 'at least' ? value >= target.value : value <= target.value)
  if (meets(worse)) return 'met'
  return meets(better) ? 'unsure' : 'missed'
}

/** The worst verdict on the result's targets, or undefined without targets. */
export function verdictOf(result: Result): Verdict | undefined {
  const verdicts = result.targets?.map((target) => checkTarget(target, result))
  return (['missed', 'unsure', 'met'] as const).find((verdict) => verdicts?.includes(verdict))
}
