import { limits } from '../limits.ts'
import { likelihoodRatios, type pauseReason } from './evidence.ts'

const runs = 401
const maxSamples = 2_000
const goodSamples = 500

/**
 * After how many samples half of all rules have paused themselves if people disagree this often, by simulation. With
 * `isSudden` people disagreed half as often as allowed before, for 500 samples. undefined: more samples than a rule usually gets.
 */
export function medianSamplesUntilPause(
  disagreement: number,
  allowed: number,
  isSudden = false,
): number | undefined {
  const random = createRandom()
  const counts = Array.from({ length: runs }, () => {
    const evidence = createEvidence(allowed)
    // A rule that is paused in good times is resumed.
    if (isSudden)
      for (let n = 0; n < goodSamples; n++) if (evidence.add(random() >= allowed / 2)) evidence.clear()
    for (let n = 1; n <= maxSamples; n++) if (evidence.add(random() >= disagreement)) return n
    return Number.POSITIVE_INFINITY
  })
  const median = counts.sort((one, other) => one - other)[(runs - 1) / 2]!
  return Number.isFinite(median) ? median : undefined
}

/**
 * The evidence of a simulated rule: as `addSample` and `pauseReason` without copies, so that
 * millions of samples take a second.
 */
export function createEvidence(allowed: number) {
  const ratios = likelihoodRatios(allowed)
  const count = ratios.agreement.length
  const life = new Float64Array(count).fill(1)
  const recent = new Float64Array(count)
  return {
    add(agrees: boolean): ReturnType<typeof pauseReason> {
      const by = agrees ? ratios.agreement : ratios.disagreement
      let [lifeSum, recentSum] = [0, 0]
      for (let n = 0; n < count; n++) {
        life[n]! *= by[n]!
        recent[n] = (recent[n]! + 1) * by[n]!
        lifeSum += life[n]!
        recentSum += recent[n]!
      }
      if (lifeSum >= limits.ruleLifeEvidence * count) return 'disagreement'
      return recentSum >= limits.ruleRecentEvidence * count ? 'recentChange' : undefined
    },
    clear(): void {
      life.fill(1)
      recent.fill(0)
    },
  }
}

/** Always the same numbers, so that the page does not flicker (mulberry32). */
function createRandom(): () => number {
  let state = 42
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
