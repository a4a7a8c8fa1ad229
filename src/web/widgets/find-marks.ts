import { diffArrays } from 'diff'
import { splitProseAndCode } from './markdown-elements.tsx'
import { type Marks, wordsOf } from './marks.tsx'

/** How a text is rendered, which decides how it is split. */
export type TextKind = 'markdown' | 'text' | 'code'
type Parts = { words: string[]; blocks: string[][] }

// Comparing longer or very different texts would block the page.
const maxWords = 20_000
const maxCharacters = 200_000
const maxEdits = 4_000
const maxMilliseconds = 300

/**
 * What to mark in each text, and the share of words and lines of code that is marked. Each text is
 * compared with the first one. The first one has marks only if there are two texts. Undefined if the
 * texts are too long or too different.
 */
export function findMarks(
  texts: string[],
  kind: TextKind,
): { marks: (Marks | undefined)[]; share: number } | undefined {
  if (texts.some((text) => text.length > maxCharacters)) return undefined
  const parts = texts.map((text) => partsOf(text, kind))
  const allParts = parts.filter((part) => part !== undefined)
  const [first, ...others] = allParts
  if (!first || allParts.length !== texts.length || allParts.some(({ words }) => words.length > maxWords))
    return undefined

  const deadline = performance.now() + maxMilliseconds
  const pairs = others.map((other) => markPair(first, other, deadline))
  const found = pairs.filter((pair) => pair !== undefined)
  if (found.length !== others.length) return undefined
  const marks = [found.length === 1 ? found[0]?.before : undefined, ...found.map(({ after }) => after)]
  const marked = sum(
    marks.map((mark) => (mark ? sum([mark.words, ...mark.lines].map(({ size }) => size)) : 0)),
  )
  const all = sum(
    allParts.map(({ words, blocks }, n) =>
      marks[n] ? sum([words, ...blocks].map(({ length }) => length)) : 0,
    ),
  )
  return { marks, share: all === 0 ? 0 : marked / all }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function partsOf(text: string, kind: TextKind): Parts | undefined {
  if (kind === 'text') return { words: wordsOf(text), blocks: [] }
  if (kind === 'code') return { words: [], blocks: [text.split('\n')] }
  const texts = splitProseAndCode(text)
  return texts && { words: texts.prose.flatMap(wordsOf), blocks: texts.code.map((code) => code.split('\n')) }
}

function markPair(
  first: Parts,
  second: Parts,
  deadline: number,
): { before: Marks; after: Marks } | undefined {
  const words = changedIndices(first.words, second.words, deadline)
  if (!words) return undefined
  const before: Marks = { words: words.removed, lines: [] }
  const after: Marks = { words: words.added, lines: [] }
  for (let n = 0; n < Math.max(first.blocks.length, second.blocks.length); n++) {
    const lines = changedIndices(first.blocks[n] ?? [], second.blocks[n] ?? [], deadline)
    if (!lines) return undefined
    before.lines.push(lines.removed)
    after.lines.push(lines.added)
  }
  return { before, after }
}

function changedIndices(first: string[], second: string[], deadline: number) {
  const timeout = deadline - performance.now()
  const changes = timeout > 0 && diffArrays(first, second, { timeout, maxEditLength: maxEdits })
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
