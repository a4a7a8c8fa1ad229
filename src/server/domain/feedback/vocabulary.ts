import { startsWithCjk } from './cjk.ts'
import { generics, subjects } from './concepts.ts'
import { foldWord, stemOf } from './fold-word.ts'
import { isGeneric } from './theme-membership.ts'
import { createTypoIndex } from './typos.ts'

// Finds the concepts of a word in the lists of concepts.ts. As terms, subjects are written like
// #photo and generic concepts like ~wrong, because no word of a text starts with these characters.

const byWord = new Map<string, string[]>()
const byStem = new Map<string, string[]>()
/** Japanese and Chinese entries by their first character, the longest first. */
const cjkEntries = new Map<string, string[]>()

for (const [wordList, mark] of [
  [subjects, '#'],
  [generics, '~'],
] as const) {
  for (const line of wordList.trim().split('\n')) {
    const [name, words] = line.split(': ') as [string, string]
    for (const entry of words.split(' ')) addWord(entry, mark + name)
  }
}

function addWord(entry: string, concept: string): void {
  const isCjk = startsWithCjk.test(entry)
  const word = isCjk ? entry : foldWord(entry)
  const known = byWord.get(word)
  if (known) {
    if (!known.includes(concept)) known.push(concept)
    return
  }
  const concepts = [concept]
  byWord.set(word, concepts)
  if (!isCjk) {
    if (!byStem.has(stemOf(word))) byStem.set(stemOf(word), concepts)
    return
  }
  const first = String.fromCodePoint(word.codePointAt(0)!)
  const same = [...(cjkEntries.get(first) ?? []), word]
  cjkEntries.set(
    first,
    same.sort((a, b) => b.length - a.length),
  )
}

const typoOf = createTypoIndex(
  [...byWord.keys()].filter((word) => /^\p{L}/u.test(word) && !startsWithCjk.test(word)),
)

/** The longest entry of concepts.ts at this position of a Japanese or Chinese text. */
export function cjkConceptsAt(text: string, position: number) {
  const first = String.fromCodePoint(text.codePointAt(position)!)
  const word = cjkEntries.get(first)?.find((entry) => text.startsWith(entry, position))
  return word === undefined ? undefined : { length: word.length, concepts: byWord.get(word)! }
}

export function conceptsOfWord(word: string): readonly string[] | undefined {
  return byWord.get(word)
}

/**
 * The concepts of a word that is not in concepts.ts itself, but an inflection, a compound such as
 * Rechnungsnummer, or a typo of a word there. Usually none.
 */
export function conceptsOfVariant(word: string): readonly string[] {
  const known = byStem.get(stemOf(word))
  if (known) return known
  const parts = compoundParts(word)
  if (parts.length > 0) return parts
  const right = typoOf(word)
  return right === undefined ? [] : byWord.get(right)!
}

const minCompoundLength = 9
const minPartLength = 5
/** The part of a compound that is no known word has at least this many letters. */
const minRestLength = 3

function compoundParts(word: string): string[] {
  const concepts = new Set<string>()
  if (word.length < minCompoundLength) return []
  for (let length = word.length - minRestLength; length >= minPartLength; length--) {
    for (const part of [word.slice(0, length), word.slice(-length)])
      for (const concept of byWord.get(part) ?? []) if (!isGeneric(concept)) concepts.add(concept)
  }
  return [...concepts]
}
