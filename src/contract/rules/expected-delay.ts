import { limits } from '../limits.ts'
import { likelihoodRatios, type pauseReason } from './evidence.ts'

// An odd number, so that the median is the count of one run.
const runs = 401
// More samples than a rule usually gets.
const maxSamples = 2_000
/** How many samples with half the allowed disagreement come before a sudden change. */
export const goodSamples = 500

/**
 * The median number of samples after which a rule pauses itself if people disagree this often, by
 * simulation. `isSudden`: for `goodSamples` before these, people disagreed half as often as
 * allowed. Undefined above `maxSamples`.
 */
export function medianSamplesUntilPause(
  disagreement: number,
  allowed: number,
  isSudden = false,
): number | undefined {
  const random = createRandom()
  const counts = Array.from({ length: runs }, () => {
    const evidence = createEvidence(allowed)
    // A rule that pauses during these samples is resumed with new evidence.
    if (isSudden)
      for (let n = 0; n < goodSamples; n++) if (evidence.add(random() >= allowed / 2)) evidence.clear()
    for (let n = 1; n <= maxSamples; n++) if (evidence.add(random() >= disagreement)) return n
    return Number.POSITIVE_INFINITY
  })
  const median = counts.sort((one, other) => one - other)[(runs - 1) / 2]!
  return Number.isFinite(median) ? median : undefined
}

/**
 * The evidence of a simulated rule: the same as `addSample` and `pauseReason`, but without copies,
 * which makes it fast enough for a million samples.
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

/** Returns the same numbers each time, so that the page always shows the same figure (mulberry32). */
function createRandom(): () => number {
  let state = 42
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
