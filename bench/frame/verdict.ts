import type { Result, Spread, Target } from './row.ts'

export type Verdict = 'met' | 'missed' | 'unsure'

// How often the true median may lie outside of what we call sure.
const doubt = 0.1

/**
 * Where the true median surely lies: between the outermost rounds while they are few, further inside as they grow. For
 * each round is above or below it as a coin falls, whatever the machine does to the figures themselves.
 */
export function surelyBetween({ rounds }: Spread): { low: number; high: number } {
  const sorted = [...rounds].sort((a, b) => a - b)
  const count = sorted.length
  let outside = 0
  while (2 * chanceOfAtMost(outside + 1, count) <= doubt) outside++
  return { low: sorted[outside]!, high: sorted[count - 1 - outside]! }
}

/** That so many or fewer of the coins show heads. */
function chanceOfAtMost(heads: number, coins: number): number {
  let ways = 1
  let sum = 1
  for (let n = 1; n <= heads; n++) {
    ways = (ways * (coins - n + 1)) / n
    sum += ways
  }
  return sum / 2 ** coins
}

function judge(target: Target, { product, ratio }: Result): Verdict {
  const { low, high } = surelyBetween(target.of === 'ratio' ? ratio! : product)
  const [worse, better] = target.is === 'at least' ? [low, high] : [high, low]
  const keeps = (value: number) => (target.is === 'at least' ? value >= target.value : value <= target.value)
  if (keeps(worse)) return 'met'
  return keeps(better) ? 'unsure' : 'missed'
}

/** The worst of its targets'. undefined: it has none. */
export function verdictOf(result: Result): Verdict | undefined {
  const verdicts = result.targets?.map((target) => judge(target, result))
  return (['missed', 'unsure', 'met'] as const).find((verdict) => verdicts?.includes(verdict))
}
