import { editDistance } from '../../../contract/edit-distance.ts'

/** Longer strings are rarely words. */
const maxLength = 24
const minLength = 5
/** A shorter word with one letter replaced is more often another word than a typo. */
const minLengthForReplacement = 6
const minLengthForTwoMistakes = 9

/**
 * Whether `word` is probably `right` with one mistake, or two in a long word: a letter added,
 * dropped or replaced, or two swapped. The first letter must be the same.
 */
export function isTypoOf(word: string, right: string): boolean {
  return couldBeTypoOf(word, right) && mistakesIn(word, right) !== undefined
}

function couldBeTypoOf(word: string, right: string): boolean {
  return (
    right.length >= minLength &&
    right.length <= maxLength &&
    word[0] === right[0] &&
    Math.abs(word.length - right.length) <= maxMistakes(right) &&
    word !== right
  )
}

const maxMistakes = (right: string) => (right.length >= minLengthForTwoMistakes ? 2 : 1)

/** The number of mistakes. Undefined if there are too many. */
function mistakesIn(word: string, right: string): number | undefined {
  const max = maxMistakes(right)
  const distance = editDistance(word, right, max)
  if (distance > max) return undefined
  if (right.length >= minLengthForReplacement || word.length !== right.length) return distance
  return [...word].sort().join('') === [...right].sort().join('') ? distance : undefined
}

/**
 * A word is compared with at most this many words with the same start and this many with the same
 * end.
 */
const maxWithSameKey = 100

/**
 * Returns a function that finds which of `words` a word is probably a typo of: the first of those
 * with the fewest mistakes. After `maxComparisons` over all calls it finds nothing, which bounds
 * the time for hostile texts.
 */
export function createTypoIndex(words: Iterable<string>, maxComparisons = Number.POSITIVE_INFINITY) {
  const byKey = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < minLength || word.length > maxLength) continue
    for (const key of [...keysOf(word, 2), ...keysOf(word, 3)]) {
      const known = byKey.get(key) ?? []
      if (known.length < maxWithSameKey) known.push(word)
      byKey.set(key, known)
    }
  }
  let comparisons = 0
  return (word: string): string | undefined => {
    if (word.length < minLength - 1 || word.length > maxLength + 2 || comparisons >= maxComparisons)
      return undefined
    let found: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    // In a short word, a mistake leaves fewer letters in a row that match.
    const letters = word.length < 7 ? 2 : 3
    const start = word.slice(0, letters)
    for (const [i, key] of keysOf(word, letters).entries()) {
      for (const right of byKey.get(key) ?? []) {
        // Words with the same start were compared in the first round.
        if (!couldBeTypoOf(word, right) || (i === 1 && right.startsWith(start))) continue
        if (comparisons++ >= maxComparisons) return undefined
        const mistakes = mistakesIn(word, right)
        if (mistakes !== undefined && mistakes < fewest) {
          found = right
          fewest = mistakes
        }
      }
    }
    return found
  }
}

/**
 * Keys for the start and the end of a word. Both contain the first letter, because a typo never
 * changes it.
 */
function keysOf(word: string, letters: number): string[] {
  return [`${word.slice(0, letters)}-`, `${word[0]}-${word.slice(-letters)}`]
}
