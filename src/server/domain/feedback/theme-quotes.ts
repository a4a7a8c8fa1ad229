import { addTo } from './proportions.ts'
import { maxQuoteLength } from './sanitize.ts'
import { mentionsOf } from './terms.ts'
import { isGeneric, partsOf } from './theme-membership.ts'
import { wordsOf } from './words.ts'

export type Quote = { taskId: string; text: string }
/** A text of a negative answer, shortened, with the terms of the whole text. */
export type StoredText = Quote & { terms: ReadonlySet<string> }

const idealQuoteLength = 120
const quotesPerTheme = 3
const maxWords = 3
/** Quotes and words are chosen from this many texts of a theme, the newest ones. */
const maxCompared = 200

/**
 * The newest texts of a theme. Those that have most terms in common with the other texts and are of
 * a readable length come first.
 */
export function byCentrality(texts: StoredText[]): StoredText[] {
  const compared = texts.slice(0, maxCompared)
  const frequency = new Map<string, number>()
  for (const { terms } of compared) for (const term of terms) addTo(frequency, term, 1 / compared.length)
  const centrality = ({ text, terms }: StoredText) => {
    let common = 0
    for (const term of terms) common += frequency.get(term)! ** 2
    return (
      common / Math.sqrt(terms.size + 1) - (0.2 * Math.abs(text.length - idealQuoteLength)) / idealQuoteLength
    )
  }
  return compared
    .map((text) => ({ text, score: centrality(text) }))
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text)
}

/**
 * Up to three different texts: the first that share less than 70 % of their words with each other,
 * or, if there are fewer than three, less than 99 %. Texts after the first half, or after the first
 * six if that is more, are used only if those before have fewer than three.
 */
export function distinctQuotes(texts: StoredText[]): Quote[] {
  const chosen: { text: StoredText; words: Set<string> }[] = []
  const preferred = Math.max(2 * quotesPerTheme, Math.ceil(texts.length / 2))
  for (const [maxOverlap, end] of [
    [0.7, preferred],
    [0.99, preferred],
    [0.99, texts.length],
  ] as const) {
    for (const text of texts.slice(0, end)) {
      if (chosen.length === quotesPerTheme) break
      const words = new Set(wordsOf(text.text))
      // Texts are compared as well as words, because some have no words: "👎", "???".
      const isDistinct = chosen.every(
        (other) => other.text.text !== text.text && overlap(other.words, words) < maxOverlap,
      )
      if (isDistinct) chosen.push({ text, words })
    }
  }
  return chosen.map(({ text: { taskId, text } }) => ({ taskId, text }))
}

/**
 * Up to three words that people use most for a theme, in lower case. If none of the shortened texts
 * contains a term of the theme, returns terms instead.
 */
export function wordsFor(texts: StoredText[], terms: string[]): string[] {
  const parts = new Set(terms.flatMap(partsOf).filter((part) => !isGeneric(part)))
  const counts = new Map<string, number>()
  for (const { text } of texts.slice(0, maxCompared)) {
    const words = mentionsOf(text).filter((mention) => mention.terms.some((term) => parts.has(term)))
    for (const word of new Set(words.map(({ written }) => written.toLowerCase()))) addTo(counts, word)
  }
  const chosen: string[] = []
  for (const [word] of [...counts].sort(([, a], [, b]) => b - a)) {
    // Skips variants of a chosen word, such as photos after photo.
    if (!chosen.some((other) => word.startsWith(other) || other.startsWith(word))) chosen.push(word)
    if (chosen.length === maxWords) break
  }
  // "#" marks a concept of the word lists.
  return chosen.length > 0 ? chosen : [...parts].slice(0, maxWords).map((part) => part.replace(/^#/, ''))
}

/** The share of the smaller set that is in the larger one. */
export function overlap<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  if (small.size === 0) return 0
  let common = 0
  for (const item of small) if (large.has(item)) common++
  return common / small.size
}

export function shortenQuote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= maxQuoteLength) return line
  const cut = line.slice(0, maxQuoteLength).replace(/[\ud800-\udbff]$/, '')
  const lastSpace = cut.lastIndexOf(' ')
  // Cut between words, unless the last space is so early that too little would be left.
  return `${lastSpace > maxQuoteLength / 2 ? cut.slice(0, lastSpace) : cut}…`
}
