import type { Slices } from '../../lib/event-loop.ts'
import { differencePValue, holmCorrected, shareOf, wilsonInterval } from './proportions.ts'
import { conjunction, isGeneric, isWord, partsOf } from './theme-membership.ts'
import type { Counts, ThemeTexts } from './theme-texts.ts'
import { createTypoIndex } from './typos.ts'

/** A term, or two terms in the same text. */
export type Candidate = Counts & { term: string }

type Found = {
  candidates: Candidate[]
  /**
   * Whether a theme that `counts` of all `total` texts have is frequent enough. Less strict than
   * for candidates, because it tests one theme instead of all terms.
   */
  isTheme(counts: Counts, total: Counts): boolean
}

const level = 0.01
/** At least this share of the negative texts must have a theme. */
const minShare = 0.05
/**
 * The same for terms that are only counted, because there are too few texts to compare. Applies to
 * the lower bound of the share.
 */
const minRecurringShare = 0.07
const minOccurrences = 3
/** A candidate must be this many times as frequent in negative texts as in others. */
const minLift = 2
/** Only this many terms, the most frequent ones, are combined to pairs and tested. */
const maxTested = 250
const maxCandidates = 60
/** For an interval of 99 %. */
const z99 = 2.575829
/** Yields after this many terms, which may be compared with many others each. */
const yieldEvery = 100
/** Only this many words, the most frequent ones, are candidates for what a rare word is a typo of. */
const maxTypoTargets = 2_000
/** About a second of CPU time, however many words there are. */
const maxComparisons = 300_000

/**
 * Terms that are more frequent in negative texts than in others, after Holm's correction. Which
 * terms are tested depends on how frequent they are in all texts together, so that the choice does
 * not favor either side.
 */
export function* distinctiveTerms(texts: ThemeTexts): Slices<Found> {
  const { negative: n, others: m } = texts.total
  const tested = yield* countTerms(texts, (one) => one.negative + one.others >= leastCount(n))
  const pValues = holmCorrected(
    tested.map(({ negative, others }) =>
      // The test is skipped for a term that cannot be a theme, but it still counts for the
      // correction.
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
    candidates: withoutNarrower(found).slice(0, maxCandidates),
    isTheme: ({ negative, others }, total) =>
      negative / total.negative > others / total.others &&
      differencePValue({ count: negative, n: total.negative }, { count: others, n: total.others }) < level,
  }
}

/** Removes pairs of which a part is a candidate by itself. */
function withoutNarrower<T extends Candidate>(candidates: T[]): T[] {
  const terms = new Set(candidates.map(({ term }) => term))
  return candidates.filter(({ term }) => !partsOf(term).some((part) => part !== term && terms.has(part)))
}

/**
 * Terms that recur in negative texts, if there are too few texts to compare. A term that is as
 * frequent in the tasks' own texts, or in the texts of other answers, is not a complaint.
 */
export function* recurringTerms(
  texts: ThemeTexts,
  shareInBackground: (one: Candidate) => number,
): Slices<Found> {
  const n = texts.total.negative
  const counted = yield* countTerms(texts, (one) => one.negative >= minOccurrences)
  const found: Candidate[] = []
  for (const one of counted) {
    const { low } = wilsonInterval(one.negative, n, z99)
    if (low <= minRecurringShare) continue
    yield
    if (low > shareInBackground(one)) found.push(one)
  }
  found.sort((a, b) => b.negative - a.negative)
  return {
    candidates: withoutNarrower(found).slice(0, maxCandidates),
    isTheme: ({ negative }, total) => shareOf(negative, total.negative).low > minRecurringShare,
  }
}

function leastCount(negativeTexts: number): number {
  return Math.max(minOccurrences, Math.ceil(minShare * negativeTexts))
}

/**
 * Counts single terms that are not generic, and pairs of which at most one is. Generic terms do not
 * say what a text is about.
 */
function* countTerms(texts: ThemeTexts, isEnough: (counts: Counts) => boolean): Slices<Candidate[]> {
  const canonical = yield* foldTypos(texts)
  const counts = [new Uint32Array(texts.names.length), new Uint32Array(texts.names.length)] as const
  yield* texts.forEachText(canonical, (terms, isNegative) => {
    const own = counts[isNegative ? 0 : 1]
    for (const term of terms) own[term]!++
  })
  const enough: (Candidate & { id: number })[] = []
  for (const [id, term] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    const count = { negative: counts[0][id]!, others: counts[1][id]! }
    if (isEnough(count)) enough.push({ ...count, id, term })
  }
  const frequent = enough.sort((a, b) => b.negative + b.others - a.negative - a.others).slice(0, maxTested)
  const position = new Int32Array(texts.names.length).fill(-1)
  for (const [i, { id }] of frequent.entries()) position[id] = i
  const size = frequent.length
  const pairs = [new Uint32Array(size * size), new Uint32Array(size * size)] as const
  yield* texts.forEachText(
    canonical.map((id) => position[id]!),
    (terms, isNegative) => {
      const own = pairs[isNegative ? 0 : 1]
      for (const a of terms) for (const b of terms) if (a < b) own[a * size + b]!++
    },
  )
  const candidates: Candidate[] = frequent
    .filter(({ term }) => !isGeneric(term))
    .map(({ term, negative, others }) => ({ term, negative, others }))
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const count = { negative: pairs[0][a * size + b]!, others: pairs[1][a * size + b]! }
      const [one, other] = [frequent[a]!.term, frequent[b]!.term]
      if (isEnough(count) && !(isGeneric(one) && isGeneric(other)))
        candidates.push({ term: one + conjunction + other, ...count })
    }
  }
  return candidates
}

/** Maps each term to itself, or a rare word to the more frequent one that it is probably a typo of. */
function* foldTypos(texts: ThemeTexts): Slices<Int32Array> {
  const counts = new Uint32Array(texts.names.length)
  const own = Int32Array.from(texts.names.keys())
  yield* texts.forEachText(own, (terms) => {
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
    if (right !== undefined) own[id] = known.get(right)!
  }
  return own
}
