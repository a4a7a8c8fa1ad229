import { sum } from './proportions.ts'

// Times to answer are counted in buckets, each about a fifth wider than the previous one, so that
// the counts of several days can be added. A quantile of a second or more is off by at most a
// tenth.

export const bucketsPerDoubling = 4

/** The SQL formula `bucket` in storage/feedback/roll-ups.ts must give the same result. */
export function bucketOf(seconds: number): number {
  return Math.floor(bucketsPerDoubling * Math.log2(Math.max(seconds, 1)))
}

/** The lower end of a bucket, in seconds. */
export function bucketStart(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** (bucket / bucketsPerDoubling)
}

export type Buckets = Map<number, number>

/**
 * The time within which this share of the answers was given, in seconds: the middle of its bucket.
 * Undefined without answers.
 */
export function quantileOf(buckets: Buckets, share: number): number | undefined {
  const n = sum(buckets.values(), (count) => count)
  if (n === 0) return undefined
  let below = 0
  for (const [bucket, count] of [...buckets].sort(([a], [b]) => a - b)) {
    below += count
    if (below >= share * n) return 2 ** ((bucket + 0.5) / bucketsPerDoubling)
  }
  return undefined
}
