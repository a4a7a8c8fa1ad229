import { addSample, noEvidence, pauseReason } from '../../../contract/rules/evidence.ts'

const runs = 101
const maxSamples = 3_000
const goodSamples = 300

/**
 * After how many samples half of all rules have paused themselves if people disagree this often, by simulation. With
 * `isSudden` the rule was fine for long before. undefined: more samples than a rule usually gets.
 */
export function medianSamplesUntilPause(
  disagreement: number,
  allowed: number,
  isSudden = false,
): number | undefined {
  const random = generator()
  const counts = Array.from({ length: runs }, () => {
    let evidence = noEvidence
    if (isSudden)
      for (let n = 0; n < goodSamples; n++) {
        const next = addSample(evidence, random() >= allowed / 2, allowed)
        if (pauseReason(next) === undefined) evidence = next
      }
    for (let n = 1; n <= maxSamples; n++) {
      evidence = addSample(evidence, random() >= disagreement, allowed)
      if (pauseReason(evidence) !== undefined) return n
    }
    return Number.POSITIVE_INFINITY
  })
  const median = counts.sort((one, other) => one - other)[(runs - 1) / 2]!
  return Number.isFinite(median) ? median : undefined
}

/** Always the same numbers, so that the page does not flicker (mulberry32). */
function generator(): () => number {
  let state = 42
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
