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
   * Whether chance does not explain that `counts` of all `total` texts have a theme. Less strict than for candidates, because
   * it tests one theme instead of all terms.
   */
  isTheme(counts: Counts, total: Counts): boolean
}

const level = 0.01
/** The minimum share of negative texts with a theme. */
const minShare = 0.05
/** The same for terms that are only counted, because there are too few other texts. Applies to the lower bound of the share. */
const minRecurringShare = 0.07
const minOccurrences = 3
/** A candidate must be this many times as frequent in negative texts as in others. */
const minLift = 2
/** Only this many terms, the most frequent ones, are combined to pairs and tested. */
const maxTested = 250
const maxCandidates = 60
/** For an interval of 99 %. */
const z99 = 2.575829

/**
 * Terms that are more frequent in negative texts than in others, after Holm's correction. Which terms are tested depends
 * on how frequent they are in all texts together, so that the choice does not favour either side.
 */
export function* distinctiveTerms(texts: ThemeTexts): Slices<Found> {
  const { negative: n, others: m } = texts.total
  const tested = yield* countTerms(texts, (one) => one.negative + one.others >= leastCount(n))
  const pValues = holmCorrected(
    tested.map(({ negative, others }) =>
      // A term that cannot be a theme is not computed, but still counts for the correction.
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

/** Without pairs that have a part which is a candidate of its own. */
function withoutNarrower<T extends Candidate>(candidates: T[]): T[] {
  const terms = new Set(candidates.map(({ term }) => term))
  return candidates.filter(({ term }) => !partsOf(term).some((part) => part !== term && terms.has(part)))
}

/**
 * Terms that recur in negative texts, where there are too few others to test. What the tasks themselves say as often, or
 * the few other texts, is no complaint.
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

/** Single terms and pairs that say what something is about. Of a pair, one may be generic. */
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

/** Maps each term to itself, or a rare word to the frequent one that it is probably a typo of. */
function* foldTypos(texts: ThemeTexts): Slices<Int32Array> {
  const counts = new Uint32Array(texts.names.length)
  const own = Int32Array.from(texts.names.keys())
  yield* texts.forEachText(own, (terms) => {
    for (const term of terms) counts[term]!++
  })
  const heads: number[] = []
  for (const [id, name] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    if (counts[id]! >= minOccurrences && isWord(name)) heads.push(id)
  }
  heads.sort((a, b) => counts[b]! - counts[a]!)
  const known = new Map(heads.slice(0, maxHeads).map((id) => [texts.names[id]!, id]))
  const typoOf = createTypoIndex(known.keys(), maxComparisons)
  for (const [id, name] of texts.names.entries()) {
    if (id % yieldEvery === 0) yield
    if (counts[id]! >= minOccurrences || !isWord(name)) continue
    const right = typoOf(name)
    if (right !== undefined) own[id] = known.get(right)!
  }
  return own
}

const yieldEvery = 100
const maxHeads = 2_000
/** About a second of CPU time, however many words there are. */
const maxComparisons = 300_000
