import { corrected, differenceByChance } from './proportions.ts'
import { termsOf } from './words.ts'

/** One thing that people write again and again when they are not content. */
export type Theme = {
  /** Words or pairs of words that go together, the most telling first. */
  terms: string[]
  /** In how many negative answers, of how many with text; and the same for the others. */
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
  /** False: too little was written on other answers, so `themes` only counts what recurs. */
  compared: boolean
}

const level = 0.05
const fewestAnswers = 3
/** A theme is in so many of the negative texts at least; where nothing can be compared, in more. */
const leastShare = 0.05
const leastShareUncompared = 0.15
const fewestToCompare = 20
const mostThemes = 5
const mostTermsOfATheme = 3
const quotesOfATheme = 3
const longestQuote = 240
/** The newest texts stand for all when themes are put together and quoted. */
const keptTexts = 2_000
/** When there are more, the rarest are forgotten: they can be no theme. */
const mostTerms = 300_000

type KeptText = Quote & { terms: Set<string> }

/** Fed newest first, an answer at a time; what it keeps does not grow with the number of answers. */
export function createThemes() {
  const counts = new Map<string, [negative: number, others: number]>()
  const kept: KeptText[] = []
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
    if (counts.size > mostTerms) forgetRareTerms()
    if (negative && kept.length < keptTexts) kept.push({ taskId, text: shortened(text), terms })
  }

  /** Down to half, so that it is seldom done however many different words come. */
  function forgetRareTerms(): void {
    for (let rare = 1; counts.size > mostTerms / 2; rare++) {
      for (const [term, [a, b]] of counts) if (a + b <= rare) counts.delete(term)
    }
  }

  function finish(): Themes {
    const compared = otherTexts >= fewestToCompare && negativeTexts >= fewestToCompare
    const marks = compared ? markingTerms() : recurringTerms()
    const themes = together(marks)
    const examples = differing(kept, quotesOfATheme)
    return { themes, examples, negativeTexts, otherTexts, compared }
  }

  /** Terms that are more frequent in negative texts than in others, beyond what chance gives when so many are tried. */
  function markingTerms(): string[] {
    const tested = [...counts].filter(([, [negative, others]]) => negative + others >= fewestAnswers)
    const chances = corrected(
      tested.map(([, [negative, others]]) =>
        // Without a look at terms that could not be a theme anyway; they count among the tests all the same.
        isFrequent(negative, leastShare) && negative / negativeTexts > others / otherTexts
          ? differenceByChance({ count: negative, n: negativeTexts }, { count: others, n: otherTexts })
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
      .filter(([, [negative]]) => isFrequent(negative, leastShareUncompared))
      .sort(([a, [x]], [b, [y]]) => y - x || b.length - a.length)
      .map(([term]) => term)
  }

  function isFrequent(negative: number, share: number): boolean {
    return negative >= fewestAnswers && negative >= share * negativeTexts
  }

  /** Terms that stand in the same texts are one theme: "wrong currency" and "currency" are not two. */
  function together(terms: string[]): Theme[] {
    const themes: { terms: string[]; texts: Set<KeptText> }[] = []
    const told = new Set<KeptText>()
    for (const term of terms) {
      const texts = new Set(kept.filter((text) => text.terms.has(term)))
      const same = themes.find((theme) => overlap(theme.texts, texts) >= 0.6)
      if (same) same.terms.push(term)
      // What the themes before it have told already is no theme of its own.
      else if (themes.length < mostThemes && !isMostlyIn(texts, told)) {
        themes.push({ terms: [term], texts })
        for (const text of texts) told.add(text)
      }
    }
    const quoted = new Set<string>()
    return themes.map(({ terms, texts }) => {
      const widest = terms.reduce((a, b) => (counts.get(b)![0] > counts.get(a)![0] ? b : a))
      const [negative, others] = counts.get(widest)!
      return {
        terms: named(terms, (term) => counts.get(term)![0]),
        ...{ negative, negativeTexts, others, otherTexts },
        quotes: quotesFor(texts, terms, quoted),
      }
    })
  }

  return { add, finish }
}

/** The most frequent first, without what is in few of its texts; a pair before its words, since it tells more and makes them needless. */
function named(terms: string[], frequency: (term: string) => number): string[] {
  const weight = (term: string) => frequency(term) * (term.includes(' ') ? 1.25 : 1)
  const least = Math.max(...terms.map(frequency)) / 3
  const chosen: string[] = []
  for (const term of [...terms].sort((a, b) => weight(b) - weight(a))) {
    if (frequency(term) >= least && !chosen.some((other) => other.includes(term) || term.includes(other)))
      chosen.push(term)
  }
  return chosen.slice(0, mostTermsOfATheme)
}

/** Of the smaller set, how much lies in the larger one. */
function overlap<T>(one: Set<T>, other: Set<T>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  if (small.size === 0) return 0
  let common = 0
  for (const item of small) if (large.has(item)) common++
  return common / small.size
}

const quoteLength = 120

function isMostlyIn<T>(some: Set<T>, all: Set<T>): boolean {
  return some.size > 0 && [...some].filter((item) => all.has(item)).length / some.size >= 0.6
}

/** None that stands with an earlier theme already. */
function quotesFor(texts: Set<KeptText>, terms: string[], quoted: Set<string>): Quote[] {
  const fresh = [...texts].filter(({ taskId }) => !quoted.has(taskId))
  const quotes = differing(bestFirst(fresh, terms), quotesOfATheme)
  for (const { taskId } of quotes) quoted.add(taskId)
  return quotes
}

/** Texts with more of the theme's terms, and of a length that is read at a glance. */
function bestFirst(texts: KeptText[], terms: string[]): KeptText[] {
  const rank = ({ text, terms: own }: KeptText) =>
    terms.filter((term) => own.has(term)).length - Math.abs(text.length - quoteLength) / quoteLength
  return texts
    .map((text) => ({ text, rank: rank(text) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ text }) => text)
}

/** No two that say nearly the same. */
function differing(texts: KeptText[], most: number): Quote[] {
  const chosen: KeptText[] = []
  for (const text of texts) {
    if (chosen.length === most) break
    if (!chosen.some((other) => overlap(other.terms, text.terms) > 0.7)) chosen.push(text)
  }
  // All say the same: then one quote is enough.
  return chosen.map(({ taskId, text }) => ({ taskId, text }))
}

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= longestQuote) return line
  const cut = line.slice(0, longestQuote)
  return `${cut.slice(0, cut.lastIndexOf(' ') > longestQuote / 2 ? cut.lastIndexOf(' ') : longestQuote).replace(/[\ud800-\udbff]$/, '')}…`
}
