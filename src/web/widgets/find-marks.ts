import { diffArrays } from 'diff'
import { textsOf } from './markdown-elements.tsx'
import { type Marks, wordsOf } from './marks.tsx'

/** How a text is drawn, and so how it is taken apart. */
export type TextKind = 'markdown' | 'text' | 'code'
type Parts = { words: string[]; blocks: string[][] }

// A text of this length is a book; two quite different ones of 20,000 words would hold up the page.
const mostWords = 20_000
const mostCharacters = 200_000
const mostEdits = 4_000
const mostMilliseconds = 300

/**
 * What to mark in each text. Of two, each against the other; of more, each against the first. Undefined when that
 * would take too long.
 */
export function findMarks(
  texts: string[],
  kind: TextKind,
): { marks: (Marks | undefined)[]; share: number } | undefined {
  if (texts.some((text) => text.length > mostCharacters)) return undefined
  const parts = texts.map((text) => partsOf(text, kind))
  const whole = parts.filter((part) => part !== undefined)
  const [first, ...others] = whole
  if (!first || whole.length !== texts.length || whole.some(({ words }) => words.length > mostWords))
    return undefined

  const ends = performance.now() + mostMilliseconds
  const pairs = others.map((other) => between(first, other, ends))
  const found = pairs.filter((pair) => pair !== undefined)
  if (found.length !== others.length) return undefined
  const marks = [found.length === 1 ? found[0]?.before : undefined, ...found.map(({ after }) => after)]
  const counts = marks.reduce((sum, mark) => sum + (mark?.words.size ?? 0), 0)
  const all = whole.reduce((sum, { words }, n) => sum + (marks[n] ? words.length : 0), 0)
  return { marks, share: all === 0 ? 0 : counts / all }
}

function partsOf(text: string, kind: TextKind): Parts | undefined {
  if (kind === 'text') return { words: wordsOf(text), blocks: [] }
  if (kind === 'code') return { words: [], blocks: [text.split('\n')] }
  const texts = textsOf(text)
  return texts && { words: texts.prose.flatMap(wordsOf), blocks: texts.code.map((code) => code.split('\n')) }
}

function between(one: Parts, other: Parts, ends: number): { before: Marks; after: Marks } | undefined {
  const words = changed(one.words, other.words, ends)
  if (!words) return undefined
  const before: Marks = { words: words.removed, lines: [] }
  const after: Marks = { words: words.added, lines: [] }
  for (let n = 0; n < Math.max(one.blocks.length, other.blocks.length); n++) {
    const lines = changed(one.blocks[n] ?? [], other.blocks[n] ?? [], ends)
    if (!lines) return undefined
    before.lines.push(lines.removed)
    after.lines.push(lines.added)
  }
  return { before, after }
}

function changed(one: string[], other: string[], ends: number) {
  const timeout = ends - performance.now()
  const changes = timeout > 0 && diffArrays(one, other, { timeout, maxEditLength: mostEdits })
  if (!changes) return undefined
  const removed = new Set<number>()
  const added = new Set<number>()
  let before = 0
  let after = 0
  for (const change of changes) {
    for (let n = 0; n < change.count; n++) {
      if (change.removed) removed.add(before)
      if (change.added) added.add(after)
      if (!change.added) before++
      if (!change.removed) after++
    }
  }
  return { removed, added }
}
