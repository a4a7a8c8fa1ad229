// Times to answer are counted in buckets, each about a fifth wider than the previous one, so that
// the counts of several days can be added. A quantile of a second or more is off by at most a
// tenth.

export const bucketsPerDoubling = 4

/** Must match the SQL formula in storage/feedback/roll-ups.ts. */
export function bucketOf(seconds: number): number {
  return Math.floor(bucketsPerDoubling * Math.log2(Math.max(seconds, 1)))
}

/** The lower end of a bucket, in seconds. */
export function bucketStart(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** (bucket / bucketsPerDoubling)
}

export type Buckets = Map<number, number>

export function addTo<Key>(counts: Map<Key, number>, key: Key, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** In seconds; undefined without any answers. */
export function quantileOf(buckets: Buckets, share: number): number | undefined {
  let n = 0
  for (const count of buckets.values()) n += count
  if (n === 0) return undefined
  let below = 0
  for (const [bucket, count] of [...buckets].sort(([a], [b]) => a - b)) {
    below += count
    if (below >= share * n) return 2 ** ((bucket + 0.5) / bucketsPerDoubling)
  }
  return undefined
}
