/**
 * The Damerau-Levenshtein distance (optimal string alignment). If it is above `max`, returns some
 * number above `max`.
 */
export function editDistance(one: string, other: string, max: number): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row: number[] = new Array(other.length + 1).fill(max + 1)
    if (i <= max) row[0] = i
    let best = row[0]!
    // Further from the diagonal the distance is larger than `max`.
    for (let k = Math.max(1, i - max); k <= Math.min(other.length, i + max); k++) {
      const cost = one[i - 1] === other[k - 1] ? 0 : 1
      let least = Math.min(last[k]! + 1, row[k - 1]! + 1, last[k - 1]! + cost)
      if (i > 1 && k > 1 && one[i - 1] === other[k - 2] && one[i - 2] === other[k - 1])
        least = Math.min(least, before[k - 2]! + 1)
      row[k] = least
      best = Math.min(best, least)
    }
    if (best > max) return best
    before = last
    last = row
  }
  return last[other.length]!
}
