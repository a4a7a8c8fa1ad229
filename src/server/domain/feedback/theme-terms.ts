import type { Slices } from '../../lib/event-loop.ts'
import { differencePValue, holmCorrected, shareOf, wilsonInterval } from './proportions.ts'
import { conjunction, isGeneric, isWord, partsOf } from './theme-membership.ts'
import type { TextCounts, ThemeTexts } from './theme-texts.ts'
import { createTypoIndex } from './typos.ts'

/** A term, or two terms joined by `+` that must be in the same text, and how many texts have it. */
export type CountedTerm = TextCounts & { term: string }

/** The terms from which themes are made. */
type ThemeTerms = {
  terms: CountedTerm[]
  /**
   * Whether a theme is frequent enough if `counts` of the `total` texts have it. Less strict than
   * for terms, because one theme is tested instead of all terms.
   */
  isTheme(counts: TextCounts, total: TextCounts): boolean
}

const level = 0.01
/** At least this share of the negative texts must have the term. */
const minShare = 0.05
/**
 * If there are too few texts to compare, the lower bound of the term's share of the negative texts
 * must be above this.
 */
const minRecurringShare = 0.07
const minOccurrences = 3
/** A term must be this many times as frequent in negative texts as in others. */
const minLift = 2
/** Only this many terms, the most frequent ones, are tested and combined to pairs. */
const maxTested = 250
const maxTerms = 60
/** For an interval of 99 %. */
const z99 = 2.575829
/** Yields after this many terms, which may be compared with many others each. */
const yieldEvery = 100
/**
 * A rare word is compared with this many words, the most frequent ones, to find what it is a typo
 * of.
 */
const maxTypoTargets = 2_000
/** Limits the comparisons of words to about a second of CPU time, however many words there are. */
const maxComparisons = 300_000

/**
 * Terms that are significantly more frequent in negative texts than in others, after Holm's
 * correction. Which terms are tested depends on how frequent they are in all texts together, so
 * that the choice favors neither negative nor other texts.
 */
export function* distinctiveTerms(texts: ThemeTexts): Slices<ThemeTerms> {
  const { negative: n, others: m } = texts.total
  const tested = yield* countTerms(texts, (one) => one.negative + one.others >= leastCount(n))
  const pValues = holmCorrected(
    tested.map(({ negative, others }) =>
      // A term that cannot be a theme is not tested, but counts for the correction.
      negative >= leastCount(n) && negative / n > (minLift * others) / m
        ? differencePValue({ count: negative, n }, { count: others, n: m })
        : 1,
    ),
  )
  const found = tested
    .map((one, i) => ({ ...one, pValue: pValues[i]! }))
    .filter(({ pValue }) => pValue < level)
    .sort((a, b) => a.pValue - b.pValue || b.negative - a.negative)
  return {
    terms: withoutNarrower(found).slice(0, maxTerms),
    isTheme: ({ negative, others }, total) =>
      negative / total.negative > others / total.others &&
      differencePValue({ count: negative, n: total.negative }, { count: others, n: total.others }) < level,
  }
}

/** Removes pairs of terms of which one term is in the list by itself. */
function withoutNarrower<T extends CountedTerm>(counted: T[]): T[] {
  const terms = new Set(counted.map(({ term }) => term))
  return counted.filter(({ term }) => !partsOf(term).some((part) => part !== term && terms.has(part)))
}

/**
 * Terms that recur in negative texts, for the case that there are too few texts to compare. A term
 * that is as frequent in the names and descriptions of the tasks, or in the texts of other answers
 * (`shareInBackground`), is no complaint.
 */
export function* recurringTerms(
  texts: ThemeTexts,
  shareInBackground: (one: CountedTerm) => number,
): Slices<ThemeTerms> {
  const n = texts.total.negative
  const counted = yield* countTerms(texts, (one) => one.negative >= minOccurrences)
  const found: CountedTerm[] = []
  for (const one of counted) {
    const { low } = wilsonInterval(one.negative, n, z99)
    if (low <= minRecurringShare) continue
    yield
    if (low > shareInBackground(one)) found.push(one)
  }
  found.sort((a, b) => b.negative - a.negative)
  return {
    terms: withoutNarrower(found).slice(0, maxTerms),
    isTheme: ({ negative }, total) => shareOf(negative, total.negative).low > minRecurringShare,
  }
}

function leastCount(negativeTexts: number): number {
  return Math.max(minOccurrences, Math.ceil(minShare * negativeTexts))
}

/**
 * Counts single terms that are not generic, and pairs of terms of which at most one is generic.
 * Generic terms do not say what a text is about.
 */
function* countTerms(texts: ThemeTexts, isEnough: (counts: TextCounts) => boolean): Slices<CountedTerm[]> {
  const withoutTypos = yield* foldTypos(texts)
  const counts = [new Uint32Array(texts.names.length), new Uint32Array(texts.names.length)] as const
  yield* texts.forEachText(withoutTypos, (terms, isNegative) => {
    const own = counts[isNegative ? 0 : 1]
    for (const term of terms) own[term]!++
  })
  const enough: (CountedTerm & { id: number })[] = []
  for (const [id, term] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    const count = { negative: counts[0][id]!, others: counts[1][id]! }
    if (isEnough(count)) enough.push({ ...count, id, term })
  }
  const frequent = enough.sort((a, b) => b.negative + b.others - a.negative - a.others).slice(0, maxTested)
  const position = new Int32Array(texts.names.length).fill(-1)
  for (const [i, { id }] of frequent.entries()) position[id] = i
  const size = frequent.length
  const pairCounts = [new Uint32Array(size * size), new Uint32Array(size * size)] as const
  yield* texts.forEachText(
    withoutTypos.map((id) => position[id]!),
    (terms, isNegative) => {
      const own = pairCounts[isNegative ? 0 : 1]
      for (const a of terms) for (const b of terms) if (a < b) own[a * size + b]!++
    },
  )
  const counted: CountedTerm[] = frequent
    .filter(({ term }) => !isGeneric(term))
    .map(({ term, negative, others }) => ({ term, negative, others }))
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const count = { negative: pairCounts[0][a * size + b]!, others: pairCounts[1][a * size + b]! }
      const [one, other] = [frequent[a]!.term, frequent[b]!.term]
      if (isEnough(count) && !(isGeneric(one) && isGeneric(other)))
        counted.push({ term: one + conjunction + other, ...count })
    }
  }
  return counted
}

/**
 * Maps the index of each term to itself, or the index of a rare word to that of the more frequent
 * word that it is probably a typo of.
 */
function* foldTypos(texts: ThemeTexts): Slices<Int32Array> {
  const counts = new Uint32Array(texts.names.length)
  const mapped = Int32Array.from(texts.names.keys())
  yield* texts.forEachText(mapped, (terms) => {
    for (const term of terms) counts[term]!++
  })
  const targets: number[] = []
  for (const [id, name] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    if (counts[id]! >= minOccurrences && isWord(name)) targets.push(id)
  }
  targets.sort((a, b) => counts[b]! - counts[a]!)
  const known = new Map(targets.slice(0, maxTypoTargets).map((id) => [texts.names[id]!, id]))
  const typoOf = createTypoIndex(known.keys(), maxComparisons)
  for (const [id, name] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    if (counts[id]! >= minOccurrences || !isWord(name)) continue
    const right = typoOf(name)
    if (right !== undefined) mapped[id] = known.get(right)!
  }
  return mapped
}
