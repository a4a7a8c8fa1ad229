import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import type { RuleDetail } from '../../../contract/rules/rule.ts'

/** A point of the chart: how many of the first `samples` samples agreed with the rule. */
export type AgreementPoint = {
  samples: number
  agreed: number
  share: number
  /** The lower 95 % bound of `share`. */
  atLeast: number
  /** The newest of these samples disagreed. */
  disagrees: boolean
}

// After only a few samples, each further one changes the share too much to say anything.
const skippedSamples = 9
const targetPoints = 160

/**
 * One point per sample in `judged`, oldest first. The first `skippedSamples` samples get no point
 * if `judged` has all samples of the evidence and more than twice `skippedSamples`. If it has more
 * than `targetPoints` samples, only one sample in several gets a point, and in addition each
 * disagreement and the sample before it.
 */
export function agreementSeries({
  judged,
  samples,
}: Pick<RuleDetail, 'judged' | 'samples'>): AgreementPoint[] {
  // `judged` has only the newest samples, while the counts in `samples` include all.
  const judgedAgreed = judged.filter(({ agrees }) => agrees).length
  const unlisted = Math.max(0, samples.answered - judged.length)
  let agreed = unlisted > 0 ? Math.max(0, samples.agreed - judgedAgreed) : 0
  const first = judged.length > skippedSamples * 2 && unlisted === 0 ? skippedSamples : 0
  const step = Math.max(1, Math.ceil(judged.length / targetPoints))
  const points: AgreementPoint[] = []
  for (const [n, { agrees }] of judged.entries()) {
    if (agrees) agreed += 1
    const isKept =
      !agrees || judged[n + 1]?.agrees === false || n === first || n === judged.length - 1 || n % step === 0
    if (n < first || !isKept) continue
    const count = unlisted + n + 1
    const point = { samples: count, agreed, share: agreed / count, disagrees: !agrees }
    points.push({ ...point, atLeast: agreementAtLeast(agreed, count) })
  }
  return points
}

type Scale = { low: number; ticks: number[] }

/**
 * The axis of shares, which ends at 1. It starts low enough to show all shares, most of their
 * bounds, and twice the allowed disagreement.
 */
export function shareScale(points: AgreementPoint[], allowedDisagreement: number): Scale {
  // The bounds of the first points are so low that the rest of the chart would be flat.
  const bounds = points.slice(Math.floor(points.length / 3)).map(({ atLeast }) => atLeast)
  const lowest = Math.min(...points.map(({ share }) => share), ...bounds, 1 - 2 * allowedDisagreement)
  // Rounded first: as doubles, (1 - 0.94) / 0.02 is slightly more than 3.
  const stepsOf = (size: number) => Math.ceil(Number(((1 - lowest) / size).toFixed(6)))
  const step = [0.01, 0.02, 0.04, 0.05, 0.1, 0.2, 0.25].find((size) => stepsOf(size) <= 4) ?? 0.25
  const steps = Math.max(2, stepsOf(step))
  const low = Math.max(0, 1 - steps * step)
  return { low, ticks: Array.from({ length: steps + 1 }, (_, n) => Math.max(0, 1 - n * step)) }
}

/** Round numbers of samples for the axis. */
export function sampleTicks(from: number, to: number): number[] {
  const step =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].find((size) => (to - from) / size <= 6) ??
    10_000
  const first = Math.ceil(from / step) * step
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, n) => first + n * step)
}
