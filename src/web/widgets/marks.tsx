import { createContext, Fragment, type ReactNode } from 'react'
import { bidiSafe } from '../ui/bidi-safe.tsx'

/** Differences from another text: the indices of words in the prose, and of lines per code block. */
export type Marks = { words: ReadonlySet<number>; lines: ReadonlySet<number>[] }

/** The marks for the text that the components below render. */
export const MarksContext = createContext<Marks | undefined>(undefined)

// A word or a single punctuation mark. Splitting a text by this pattern yields separators and words
// in turn.
const pieces = /([\p{L}\p{N}_]+|[^\p{L}\p{N}_\s])/u

export function wordsOf(text: string): string[] {
  return text.split(pieces).filter((_, n) => n % 2 === 1)
}

/**
 * Marks words in a piece of prose, including the spaces between marked words. `from` is the index of
 * the first word of the piece, `next` the index of the first word after it.
 */
export function markedText(
  text: string,
  words: ReadonlySet<number>,
  from: number,
): { elements: ReactNode; next: number } {
  const parts = text.split(pieces)
  const runs: { text: string; isMarked: boolean }[] = []
  parts.forEach((part, n) => {
    const word = from + Math.floor(n / 2)
    const isWord = n % 2 === 1
    const isMarked = isWord
      ? words.has(word)
      : n > 0 && n < parts.length - 1 && words.has(word - 1) && words.has(word)
    const last = runs.at(-1)
    if (last?.isMarked === isMarked) last.text += part
    else if (part !== '') runs.push({ text: part, isMarked })
  })
  const next = from + Math.floor(parts.length / 2)
  return {
    elements: runs.map((run, n) =>
      run.isMarked ? (
        <mark key={n}>{bidiSafe(run.text)}</mark>
      ) : (
        <Fragment key={n}>{bidiSafe(run.text)}</Fragment>
      ),
    ),
    next,
  }
}
