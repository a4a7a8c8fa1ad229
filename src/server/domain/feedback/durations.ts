// Times to answer are kept as counts in buckets, each a fifth wider than the one before: days add up, and nothing is sorted.
// A quantile read from them is off by a tenth at most.

const octaveParts = 4

/** The same formula stands in SQL, in storage/feedback/statistics.ts. */
export function bucketOf(seconds: number): number {
  return Math.floor(octaveParts * Math.log2(Math.max(seconds, 1)))
}

/** The lower end of a bucket, in seconds. */
export function bucketStart(bucket: number): number {
  return bucket === 0 ? 0 : 2 ** (bucket / octaveParts)
}

export type Buckets = Map<number, number>

export function addTo(buckets: Buckets, bucket: number, count = 1): void {
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
}

/** In seconds; undefined when there is nothing. */
export function quantileOf(buckets: Buckets, share: number): number | undefined {
  let n = 0
  for (const count of buckets.values()) n += count
  if (n === 0) return undefined
  let below = 0
  for (const [bucket, count] of [...buckets].sort(([a], [b]) => a - b)) {
    below += count
    if (below >= share * n) return 2 ** ((bucket + 0.5) / octaveParts)
  }
  return undefined
}
