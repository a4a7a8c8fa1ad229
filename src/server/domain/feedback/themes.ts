import type { Slices } from '../../lib/event-loop.ts'
import { strongestOf } from './strongest-day.ts'
import { termsOf } from './terms.ts'
import { type Candidate, distinctiveTerms, recurringTerms } from './theme-candidates.ts'
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
import { type Counts, type CountsByDay, createThemeTexts, type ThemeTexts } from './theme-texts.ts'

/** Something that people repeatedly write in negative answers. */
export type Theme = {
  /** What `hasTheme` looks for in the terms of a text. Not for people. */
  terms: string[]
  /** The words that people use most for it. */
  words: string[]
  /** The number of negative answers with it, of those with text; then the same for other answers. */
  negative: number
  negativeTexts: number
  others: number
  otherTexts: number
  /** Typical texts of the theme, at most three. */
  quotes: Quote[]
  /** Negative answers with it, newest first, at most 100. */
  taskIds: string[]
}

export type Themes = {
  themes: Theme[]
  /** The newest texts of negative answers that differ from each other, at most three. */
  examples: Quote[]
  negativeTexts: number
  otherTexts: number
  /** False if negative or other answers have too few texts, so that `themes` only counts what recurs. */
  compared: boolean
}

const minTextsToCompare = 20
const maxThemes = 5
const maxTermsPerTheme = 12
const maxTaskIds = 100
/** Only the newest texts are used to group and quote themes. */
const maxStoredTexts = 2_000
/** Enough to know what tasks of a type always say. */
const maxTasks = 300
/** Terms whose texts overlap at least this much, beyond chance, are one theme. */
const minOverlap = 0.5
/** A further term of a theme must add at least this share of the texts that the theme already has. */
const minAdded = 0.1

/** Takes answers one by one, newest first. Memory is limited, whatever their number. */
export function createThemes() {
  const texts = createThemeTexts()
  const stored: StoredText[] = []
  const tasks: string[] = []

  /** What the sender wrote in a task: words that people may repeat without complaining. */
  function addTask(text: string): void {
    if (tasks.length < maxTasks) tasks.push(text)
  }

  /** Returns the terms of the text. */
  function add(taskId: string, text: string, negative: boolean, day = 0): Set<string> | undefined {
    const terms = texts.add(text, negative, day)
    if (terms && negative && stored.length < maxStoredTexts)
      stored.push({ taskId, text: shortenQuote(text), terms })
    return terms
  }

  function* finish(): Slices<Themes> {
    const { negative: negativeTexts, others: otherTexts } = texts.total
    const compared = otherTexts >= minTextsToCompare && negativeTexts >= minTextsToCompare
    const { candidates, isTheme } = yield* compared
      ? distinctiveTerms(texts)
      : recurringTerms(texts, background())
    const groups = yield* groupTerms(candidates, stored)
    const counts = yield* texts.countThemes(groups.map(({ terms }) => terms))
    const quoted = new Set<string>()
    const themes = groups
      .map((group, i) => ({ group, ...counts[i]! }))
      .filter(({ byDay }) => survivesWithoutStrongestDay(byDay, texts, isTheme))
      .sort((a, b) => b.negative - a.negative)
      .map(({ group, byDay: _byDay, ...count }, i, ranked) => ({
        ...count,
        negativeTexts,
        otherTexts,
        ...quote(
          group,
          quoted,
          ranked.slice(0, i).map((earlier) => earlier.group),
        ),
      }))
    return { themes, examples: distinctQuotes(stored), negativeTexts, otherTexts, compared }
  }

  /** How frequent a term is anyway: its share in the tasks or in the other texts, whichever is larger. */
  function background(): (candidate: Candidate) => number {
    const said = tasks.map(termsOf)
    const known = new Map<string, boolean[]>()
    const tasksWith = (part: string) => {
      const found = known.get(part) ?? said.map((own) => hasTheme(own, [part]))
      known.set(part, found)
      return found
    }
    return ({ term, others }) => {
      const parts = partsOf(term).map(tasksWith)
      const count = said.filter((_, i) => parts.every((part) => part[i])).length
      return Math.max(count / Math.max(said.length, 1), others / Math.max(texts.total.others, 1))
    }
  }

  /** Skips texts that are about an earlier theme, or at least those that are quoted for it. */
  function quote({ terms, related }: Group, quoted: Set<string>, earlier: Group[]) {
    const own = stored.filter((text) => hasTheme(text.terms, terms))
    const fresh = own.filter(({ taskId }) => !quoted.has(taskId))
    const alone = fresh.filter((text) => !earlier.some((group) => hasTheme(text.terms, group.terms)))
    const quotes = distinctQuotes(byCentrality([alone, fresh, own].find(({ length }) => length > 0) ?? []))
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

function survivesWithoutStrongestDay(
  byDay: CountsByDay,
  { total, totalByDay }: Pick<ThemeTexts, 'total' | 'totalByDay'>,
  isTheme: (counts: Counts, total: Counts) => boolean,
): boolean {
  const all: Counts = { negative: 0, others: 0 }
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
  const without = (counts: Counts, days: CountsByDay): Counts => ({
    negative: counts.negative - (days.get(day)?.negative ?? 0),
    others: counts.others - (days.get(day)?.others ?? 0),
  })
  return isTheme(without(all, byDay), without(total, totalByDay))
}

/**
 * A text that has one of `terms` has the theme. The `related` terms occur mostly in the same texts,
 * and are only used to find words.
 */
type Group = { terms: string[]; related: string[]; texts: Set<StoredText> }

/** Terms that occur in the same texts are one theme. The strongest theme first. */
function* groupTerms(candidates: Candidate[], stored: StoredText[]): Slices<Group[]> {
  const groups: Group[] = []
  for (const { term } of candidates) {
    yield
    const texts = new Set(stored.filter((text) => hasTheme(text.terms, [term])))
    if (texts.size === 0) continue
    const same = groups.find((group) => overlapBeyondChance(group.texts, texts, stored.length) >= minOverlap)
    if (same) {
      const all = new Set([...same.texts, ...texts])
      if (all.size < (1 + minAdded) * same.texts.size || same.terms.length === maxTermsPerTheme) {
        same.related.push(term)
        continue
      }
      same.terms.push(term)
      same.texts = all
    } else if (groups.length < maxThemes) groups.push({ terms: [term], related: [], texts })
  }
  return groups
}

/** 0: as much as by chance. 1: one of the sets is in the other. */
function overlapBeyondChance<T>(one: Set<T>, other: Set<T>, n: number): number {
  const byChance = Math.max(one.size, other.size) / n
  // A set of all texts contains every other one.
  return byChance < 1 ? (overlap(one, other) - byChance) / (1 - byChance) : 1
}
