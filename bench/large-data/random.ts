/** A random generator that gives the same numbers for the same seed on every machine (mulberry32). */
export function createRandom(seed: number) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (bound: number) => Math.floor(next() * bound),
    /** Returns one of the values, by weight. */
    pick<T>(weighted: readonly (readonly [T, number])[]): T {
      let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of weighted) {
        left -= weight
        if (left < 0) return value
      }
      return weighted[0]![0]
    },
  }
}

export type Random = ReturnType<typeof createRandom>
