import type { Slices } from '../../lib/event-loop.ts'
import { termsOf } from './terms.ts'
import { hasTheme, isSameTerm, partsOf } from './theme-membership.ts'

/**
 * Bounds memory. Further terms are ignored: one that first occurs after this many others is rare.
 */
const maxTerms = 300_000
/** The terms of about 200,000 texts. Older texts are not read. */
const maxOccurrences = 4_000_000

/** This many texts or terms take about a millisecond. */
const yieldEvery = 500

/** A number of texts of negative answers, and of other answers. */
export type TextCounts = { negative: number; others: number }
export type TextCountsByDay = Map<number, TextCounts>

function countIn(days: TextCountsByDay, day: number, negative: boolean): void {
  const counts = days.get(day) ?? { negative: 0, others: 0 }
  counts[negative ? 'negative' : 'others']++
  days.set(day, counts)
}

/**
 * The terms of all texts, newest first. Each occurrence of a term is the index of its name in
 * `names`, a number of 4 bytes, so that all occurrences take about 16 MB at most.
 */
export function createThemeTexts() {
  const ids = new Map<string, number>()
  const names: string[] = []
  const starts: number[] = []
  const isNegative: boolean[] = []
  const dayOf: number[] = []
  let occurrences = new Uint32Array(1 << 12)
  let used = 0
  const total: TextCounts = { negative: 0, others: 0 }
  const totalByDay: TextCountsByDay = new Map()

  /**
   * Stores the terms of a text and returns them. Returns undefined if `maxOccurrences` is reached.
   */
  function add(text: string, negative: boolean, day: number): Set<string> | undefined {
    if (used >= maxOccurrences) return undefined
    const terms = termsOf(text)
    starts.push(used)
    isNegative.push(negative)
    dayOf.push(day)
    countIn(totalByDay, day, negative)
    total[negative ? 'negative' : 'others']++
    for (const term of terms) {
      const id = idOf(term)
      if (id === undefined) continue
      if (used === occurrences.length) occurrences = doubled(occurrences)
      occurrences[used++] = id
    }
    return terms
  }

  function idOf(term: string): number | undefined {
    const known = ids.get(term)
    if (known !== undefined || names.length >= maxTerms) return known
    ids.set(term, names.length)
    return names.push(term) - 1
  }

  /**
   * Calls `visit` for each text with the indexes of its terms after `map` was applied to them, each
   * index once. Terms that are mapped to -1 are left out.
   */
  function* forEachText(
    map: Int32Array,
    visit: (mapped: number[], negative: boolean, day: number) => void,
  ): Slices<void> {
    const lastSeen = new Int32Array(names.length).fill(-1)
    for (let text = 0; text < starts.length; text++) {
      if (text % yieldEvery === 0) yield
      const mapped: number[] = []
      for (let i = starts[text]!; i < (starts[text + 1] ?? used); i++) {
        const to = map[occurrences[i]!]!
        if (to < 0 || lastSeen[to] === text) continue
        lastSeen[to] = text
        mapped.push(to)
      }
      visit(mapped, isNegative[text]!, dayOf[text]!)
    }
  }

  /**
   * How many texts have each of these themes, in total and by day. A theme is given by its terms.
   */
  function* countThemes(themes: string[][]): Slices<(TextCounts & { byDay: TextCountsByDay })[]> {
    const parts = [...new Set(themes.flat().flatMap(partsOf))]
    const map = new Int32Array(names.length)
    for (const [id, name] of names.entries()) {
      if (id % yieldEvery === 0) yield
      map[id] = parts.some((part) => isSameTerm(name, part)) ? id : -1
    }
    const counts = themes.map(() => ({ negative: 0, others: 0, byDay: new Map() as TextCountsByDay }))
    yield* forEachText(map, (mapped, negative, day) => {
      if (mapped.length === 0) return
      const terms = new Set(mapped.map((id) => names[id]!))
      for (const [i, theme] of themes.entries())
        if (hasTheme(terms, theme)) {
          counts[i]![negative ? 'negative' : 'others']++
          countIn(counts[i]!.byDay, day, negative)
        }
    })
    return counts
  }

  return { add, forEachText, countThemes, total, totalByDay, names: names as readonly string[] }
}

export type ThemeTexts = ReturnType<typeof createThemeTexts>

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length)
  larger.set(array)
  return larger
}
