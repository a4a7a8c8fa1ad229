import type { Slices } from '../../lib/event-loop.ts'
import { strongestOf } from './strongest-day.ts'
import { termsOf } from './terms.ts'
import { hasTheme, partsOf } from './theme-membership.ts'
import {
  byCentrality,
  distinctQuotes,
  overlap,
  type Quote,
  type StoredText,
  shortenQuote,
  wordsFor,
} from './theme-quotes.ts'
import { type CountedTerm, distinctiveTerms, recurringTerms } from './theme-terms.ts'
import { createThemeTexts, type TextCounts, type TextCountsByDay, type ThemeTexts } from './theme-texts.ts'

/** Something that people repeatedly write in negative answers. */
export type Theme = {
  /** What `hasTheme` looks for in the terms of a text. Not for people. */
  terms: string[]
  /** The words that people use most for it. */
  words: string[]
  /**
   * The number of negative answers with the theme, of all `negativeTexts` negative answers with
   * text.
   */
  negative: number
  negativeTexts: number
  /** The number of other answers with the theme, of all `otherTexts` other answers with text. */
  others: number
  otherTexts: number
  /** Typical texts of the theme, at most three. */
  quotes: Quote[]
  /** The tasks with negative answers that have the theme, newest first, at most 100. */
  taskIds: string[]
}

/** What people wrote. */
export type TextFigures = {
  themes: Theme[]
  /** The newest texts of negative answers that differ from each other, at most three. */
  examples: Quote[]
  negativeTexts: number
  otherTexts: number
  /**
   * Whether the terms of negative texts were compared with those of other texts. false: there are
   * too few of either, so that `themes` only counts what recurs in negative texts.
   */
  compared: boolean
}

const minTextsToCompare = 20
const maxThemes = 5
const maxTermsPerTheme = 12
const maxTaskIds = 100
/** Only this many texts, the newest ones, are used to combine terms to themes and to quote. */
const maxStoredTexts = 2_000
/** This many tasks are enough to know which words tasks of a type always contain. */
const maxTasks = 300
/** Terms whose texts overlap at least this much, beyond chance, are one theme. */
const minOverlap = 0.5
/**
 * A further term of a theme must add at least this share to the texts that the theme already has.
 */
const minAdded = 0.1

/**
 * Finds themes in the texts of answers, which are added newest first. Memory is limited, whatever
 * their number.
 */
export function createThemes() {
  const texts = createThemeTexts()
  const stored: StoredText[] = []
  const taskTexts: string[] = []

  /** Adds what the sender wrote in a task: words that people may repeat without complaining. */
  function addTask(text: string): void {
    if (taskTexts.length < maxTasks) taskTexts.push(text)
  }

  /** Adds the text of an answer. Returns its terms. */
  function add(taskId: string, text: string, negative: boolean, day = 0): Set<string> | undefined {
    const terms = texts.add(text, negative, day)
    if (terms && negative && stored.length < maxStoredTexts)
      stored.push({ taskId, text: shortenQuote(text), terms })
    return terms
  }

  function* finish(): Slices<TextFigures> {
    const { negative: negativeTexts, others: otherTexts } = texts.total
    const compared = otherTexts >= minTextsToCompare && negativeTexts >= minTextsToCompare
    const { terms, isTheme } = yield* compared
      ? distinctiveTerms(texts)
      : recurringTerms(texts, createShareInBackground())
    const clusters = yield* clusterTerms(terms, stored)
    const counts = yield* texts.countThemes(clusters.map(({ terms }) => terms))
    const quoted = new Set<string>()
    const themes = clusters
      .map((cluster, i) => ({ cluster, ...counts[i]! }))
      .filter(({ byDay }) => survivesWithoutStrongestDay(byDay, texts, isTheme))
      .sort((a, b) => b.negative - a.negative)
      .map(({ cluster, byDay: _byDay, ...count }, i, sorted) => ({
        ...count,
        negativeTexts,
        otherTexts,
        ...describeTheme(
          cluster,
          quoted,
          sorted.slice(0, i).map((earlier) => earlier.cluster),
        ),
      }))
    return { themes, examples: distinctQuotes(stored), negativeTexts, otherTexts, compared }
  }

  /**
   * Returns a function that computes how frequent a term is where nobody complains: its share of
   * the texts of tasks, or its share of the texts of other answers, whichever is larger.
   */
  function createShareInBackground(): (one: CountedTerm) => number {
    const termsOfTasks = taskTexts.map(termsOf)
    const known = new Map<string, boolean[]>()
    const tasksWith = (part: string) => {
      const found = known.get(part) ?? termsOfTasks.map((own) => hasTheme(own, [part]))
      known.set(part, found)
      return found
    }
    return ({ term, others }) => {
      const parts = partsOf(term).map(tasksWith)
      const count = termsOfTasks.filter((_, i) => parts.every((part) => part[i])).length
      return Math.max(count / Math.max(termsOfTasks.length, 1), others / Math.max(texts.total.others, 1))
    }
  }

  /**
   * The words, quotes and tasks of a theme. Prefers to quote texts that are about no `earlier`
   * theme, otherwise texts that are not quoted yet. Adds the tasks that it quotes to `quoted`.
   */
  function describeTheme({ terms, related }: TermCluster, quoted: Set<string>, earlier: TermCluster[]) {
    const own = stored.filter((text) => hasTheme(text.terms, terms))
    const notQuoted = own.filter(({ taskId }) => !quoted.has(taskId))
    const aboutThisOnly = notQuoted.filter(
      (text) => !earlier.some((cluster) => hasTheme(text.terms, cluster.terms)),
    )
    const quotable = [aboutThisOnly, notQuoted, own].find(({ length }) => length > 0) ?? []
    const quotes = distinctQuotes(byCentrality(quotable))
    for (const { taskId } of quotes) quoted.add(taskId)
    return {
      terms,
      words: wordsFor(own, [...terms, ...related]),
      quotes,
      taskIds: own.slice(0, maxTaskIds).map(({ taskId }) => taskId),
    }
  }

  return { add, addTask, finish }
}

/** Whether the theme is still frequent enough without the day that contributes most to it. */
function survivesWithoutStrongestDay(
  byDay: TextCountsByDay,
  { total, totalByDay }: Pick<ThemeTexts, 'total' | 'totalByDay'>,
  isTheme: (counts: TextCounts, total: TextCounts) => boolean,
): boolean {
  const all: TextCounts = { negative: 0, others: 0 }
  for (const { negative, others } of byDay.values()) {
    all.negative += negative
    all.others += others
  }
  const expected = all.others / Math.max(1, total.others)
  const day = strongestOf(
    new Map(
      [...totalByDay].map(([day, { negative }]) => [
        day,
        (byDay.get(day)?.negative ?? 0) - expected * negative,
      ]),
    ),
  )
  if (day === undefined) return true
  const without = (counts: TextCounts, days: TextCountsByDay): TextCounts => ({
    negative: counts.negative - (days.get(day)?.negative ?? 0),
    others: counts.others - (days.get(day)?.others ?? 0),
  })
  return isTheme(without(all, byDay), without(total, totalByDay))
}

/**
 * The terms of one theme. A text has the theme if it has one of `terms`. The `related` terms occur
 * mostly in the same texts and are only used to find the words of the theme.
 */
type TermCluster = { terms: string[]; related: string[]; texts: Set<StoredText> }

/** Combines terms that occur mostly in the same texts to clusters, in the order of the terms. */
function* clusterTerms(terms: CountedTerm[], stored: StoredText[]): Slices<TermCluster[]> {
  const clusters: TermCluster[] = []
  for (const { term } of terms) {
    yield
    const texts = new Set(stored.filter((text) => hasTheme(text.terms, [term])))
    if (texts.size === 0) continue
    const same = clusters.find((one) => overlapBeyondChance(one.texts, texts, stored.length) >= minOverlap)
    if (same) {
      const all = new Set([...same.texts, ...texts])
      if (all.size < (1 + minAdded) * same.texts.size || same.terms.length === maxTermsPerTheme) {
        same.related.push(term)
        continue
      }
      same.terms.push(term)
      same.texts = all
    } else if (clusters.length < maxThemes) clusters.push({ terms: [term], related: [], texts })
  }
  return clusters
}

/**
 * How much two sets of the `n` texts overlap. 0: as much as by chance. 1: one contains the other.
 */
function overlapBeyondChance<T>(one: Set<T>, other: Set<T>, n: number): number {
  const byChance = Math.max(one.size, other.size) / n
  // If one of the sets has all texts, it contains the other.
  return byChance < 1 ? (overlap(one, other) - byChance) / (1 - byChance) : 1
}
