/** Longer strings are not typed by people. */
const maxLength = 24
const minLength = 5
/** Below this length, a different letter is more often another word than a typo. */
const minLengthForReplacement = 6
const minLengthForTwo = 9

/** Whether `word` is probably `right` with one mistake, or two in a long word: a letter added, dropped, replaced or swapped. */
export function isTypoOf(word: string, right: string): boolean {
  if (right.length < minLength || right.length > maxLength || word[0] !== right[0] || word === right)
    return false
  const max = right.length >= minLengthForTwo ? 2 : 1
  if (Math.abs(word.length - right.length) > max) return false
  const distance = editDistance(word, right)
  if (distance > max) return false
  if (right.length >= minLengthForReplacement || word.length !== right.length) return true
  return [...word].sort().join('') === [...right].sort().join('')
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let k = 1; k <= other.length; k++) {
      const cost = one[i - 1] === other[k - 1] ? 0 : 1
      let least = Math.min(last[k]! + 1, row[k - 1]! + 1, last[k - 1]! + cost)
      if (i > 1 && k > 1 && one[i - 1] === other[k - 2] && one[i - 2] === other[k - 1])
        least = Math.min(least, before[k - 2]! + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[other.length]!
}

/**
 * Finds the word that another one is a typo of. Words within one or two mistakes of each other are equal after
 * deleting as many letters from both, so that only few have to be compared. One end of the word must be right, which
 * rules most other words out at once.
 */
export function createTypoIndex(words: Iterable<string>) {
  const index = new Map<string, string[]>()
  const ends = new Set<string>()
  for (const word of words) {
    if (word.length < minLength || word.length > maxLength) continue
    for (const end of [...endsOf(word, 2), ...endsOf(word, 3)]) ends.add(end)
    for (const key of deletions(word, word.length >= minLengthForTwo ? 2 : 1)) {
      const known = index.get(key)
      if (known) known.push(word)
      else index.set(key, [word])
    }
  }
  return (word: string): string | undefined => {
    if (word.length < minLength - 1 || word.length > maxLength) return undefined
    // Few letters of a short word are right, and few keys have to be looked up for it.
    if (!endsOf(word, word.length < 7 ? 2 : 3).some((end) => ends.has(end))) return undefined
    for (const key of deletions(word, word.length >= minLengthForTwo - 2 ? 2 : 1)) {
      const right = index.get(key)?.find((candidate) => isTypoOf(word, candidate))
      if (right !== undefined) return right
    }
    return undefined
  }
}

/** The first letter is in both, because it is always right. */
function endsOf(word: string, letters: number): string[] {
  return [`${word.slice(0, letters)}-`, `${word[0]}-${word.slice(-letters)}`]
}

/** The word itself first. */
function deletions(word: string, count: number): Set<string> {
  const keys = new Set([word])
  for (let round = 0; round < count; round++) {
    for (const key of [...keys])
      for (let i = 0; i < key.length; i++) keys.add(key.slice(0, i) + key.slice(i + 1))
  }
  return keys
}
