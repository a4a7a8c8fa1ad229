import { differencePValue, holmCorrected } from './proportions.ts'
import { termsOf } from './words.ts'

/** Something that people repeatedly write in negative answers. */
export type Theme = {
  /** Words or pairs of words that occur together, the most distinctive first. */
  terms: string[]
  /** The number of negative answers with it, of those with text; then the same for other answers. */
  negative: number
  negativeTexts: number
  others: number
  otherTexts: number
  quotes: Quote[]
}
export type Quote = { taskId: string; text: string }

export type Themes = {
  themes: Theme[]
  /** Texts of negative answers, newest first. */
  examples: Quote[]
  negativeTexts: number
  otherTexts: number
  /** False if there are too few texts on other answers, so that `themes` only counts what recurs. */
  compared: boolean
}

const level = 0.05
const minOccurrences = 3
/** The minimum share of negative texts with a theme; higher if there is nothing to compare with. */
const minShare = 0.05
const minShareUncompared = 0.15
const minTextsToCompare = 20
const maxThemes = 5
const maxTermsPerTheme = 3
const quotesPerTheme = 3
const maxQuoteLength = 240
/** Only the newest texts are used to group and quote themes. */
const maxStoredTexts = 2_000
/** Beyond this the rarest terms are dropped, which cannot be themes. */
const maxTerms = 300_000

type StoredText = Quote & { terms: Set<string> }

/** Takes answers one by one, newest first. Memory does not grow with the number of answers. */
export function createThemes() {
  const counts = new Map<string, [negative: number, others: number]>()
  const storedTexts: StoredText[] = []
  let negativeTexts = 0
  let otherTexts = 0

  function add(taskId: string, text: string, negative: boolean): void {
    const terms = termsOf(text)
    if (negative) negativeTexts++
    else otherTexts++
    for (const term of terms) {
      const count = counts.get(term)
      if (count) count[negative ? 0 : 1]++
      else counts.set(term, negative ? [1, 0] : [0, 1])
    }
    if (counts.size > maxTerms) dropRareTerms()
    if (negative && storedTexts.length < maxStoredTexts)
      storedTexts.push({ taskId, text: shortenQuote(text), terms })
  }

  /** Drops down to half of the limit, so that it rarely has to run. */
  function dropRareTerms(): void {
    for (let rare = 1; counts.size > maxTerms / 2; rare++) {
      for (const [term, [a, b]] of counts) if (a + b <= rare) counts.delete(term)
    }
  }

  function finish(): Themes {
    const compared = otherTexts >= minTextsToCompare && negativeTexts >= minTextsToCompare
    const terms = compared ? distinctiveTerms() : recurringTerms()
    const themes = groupIntoThemes(terms)
    const examples = distinct(storedTexts, quotesPerTheme)
    return { themes, examples, negativeTexts, otherTexts, compared }
  }

  /** Terms that are significantly more frequent in negative texts than in others, after correction for the number of tests. */
  function distinctiveTerms(): string[] {
    const tested = [...counts].filter(([, [negative, others]]) => negative + others >= minOccurrences)
    const chances = holmCorrected(
      tested.map(([, [negative, others]]) =>
        // Terms that cannot be a theme are not tested, but still count for the correction.
        isFrequent(negative, minShare) && negative / negativeTexts > others / otherTexts
          ? differencePValue({ count: negative, n: negativeTexts }, { count: others, n: otherTexts })
          : 1,
      ),
    )
    return tested
      .map(([term, [negative]], i) => ({ term, negative, chance: chances[i]! }))
      .filter(({ chance }) => chance < level)
      .sort((a, b) => a.chance - b.chance || b.negative - a.negative)
      .map(({ term }) => term)
  }

  function recurringTerms(): string[] {
    return [...counts]
      .filter(([, [negative]]) => isFrequent(negative, minShareUncompared))
      .sort(([a, [x]], [b, [y]]) => y - x || b.length - a.length)
      .map(([term]) => term)
  }

  function isFrequent(negative: number, share: number): boolean {
    return negative >= minOccurrences && negative >= share * negativeTexts
  }

  /** Terms that occur in the same texts are one theme, such as "wrong currency" and "currency". */
  function groupIntoThemes(terms: string[]): Theme[] {
    const themes: { terms: string[]; texts: Set<StoredText> }[] = []
    const covered = new Set<StoredText>()
    for (const term of terms) {
      const texts = new Set(storedTexts.filter((text) => text.terms.has(term)))
      const same = themes.find((theme) => overlap(theme.texts, texts) >= 0.6)
      if (same) same.terms.push(term)
      // Skip terms that earlier themes already cover.
      else if (themes.length < maxThemes && !isMostlyIn(texts, covered)) {
        themes.push({ terms: [term], texts })
        for (const text of texts) covered.add(text)
      }
    }
    const quoted = new Set<string>()
    return themes.map(({ terms, texts }) => {
      const widest = terms.reduce((a, b) => (counts.get(b)![0] > counts.get(a)![0] ? b : a))
      const [negative, others] = counts.get(widest)!
      return {
        terms: labelTerms(terms, (term) => counts.get(term)![0]),
        ...{ negative, negativeTexts, others, otherTexts },
        quotes: quotesFor(texts, terms, quoted),
      }
    })
  }

  return { add, finish }
}

/** The most frequent terms first, without rare ones. A pair replaces its words, because it says more. */
function labelTerms(terms: string[], frequency: (term: string) => number): string[] {
  const weight = (term: string) => frequency(term) * (term.includes(' ') ? 1.25 : 1)
  const least = Math.max(...terms.map(frequency)) / 3
  const chosen: string[] = []
  for (const term of [...terms].sort((a, b) => weight(b) - weight(a))) {
    if (frequency(term) >= least && !chosen.some((other) => other.includes(term) || term.includes(other)))
      chosen.push(term)
  }
  return chosen.slice(0, maxTermsPerTheme)
}

/** The share of the smaller set that is in the larger one. */
function overlap<T>(one: Set<T>, other: Set<T>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  if (small.size === 0) return 0
  let common = 0
  for (const item of small) if (large.has(item)) common++
  return common / small.size
}

const idealQuoteLength = 120

function isMostlyIn<T>(some: Set<T>, all: Set<T>): boolean {
  return some.size > 0 && [...some].filter((item) => all.has(item)).length / some.size >= 0.6
}

/** Skips texts that are already quoted for an earlier theme. */
function quotesFor(texts: Set<StoredText>, terms: string[], quoted: Set<string>): Quote[] {
  const fresh = [...texts].filter(({ taskId }) => !quoted.has(taskId))
  const quotes = distinct(bestFirst(fresh, terms), quotesPerTheme)
  for (const { taskId } of quotes) quoted.add(taskId)
  return quotes
}

/** Prefers texts with more of the theme's terms and of a readable length. */
function bestFirst(texts: StoredText[], terms: string[]): StoredText[] {
  const rank = ({ text, terms: own }: StoredText) =>
    terms.filter((term) => own.has(term)).length - Math.abs(text.length - idealQuoteLength) / idealQuoteLength
  return texts
    .map((text) => ({ text, rank: rank(text) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ text }) => text)
}

/** The first texts that differ enough from each other. */
function distinct(texts: StoredText[], max: number): Quote[] {
  const chosen: StoredText[] = []
  for (const text of texts) {
    if (chosen.length === max) break
    if (!chosen.some((other) => overlap(other.terms, text.terms) > 0.7)) chosen.push(text)
  }
  return chosen.map(({ taskId, text }) => ({ taskId, text }))
}

export function shortenQuote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= maxQuoteLength) return line
  const cut = line.slice(0, maxQuoteLength)
  return `${cut.slice(0, cut.lastIndexOf(' ') > maxQuoteLength / 2 ? cut.lastIndexOf(' ') : maxQuoteLength).replace(/[\ud800-\udbff]$/, '')}…`
}
