import { type Change, type DiffBudget, diffTokens } from './diff-tokens.ts'

export type WordChange = { kind: Change['kind']; text: string }
export type WordCount = { changed: number; total: number }
export type WordDiff = { changes: WordChange[]; count: WordCount }

export type EditLevel = 'unchanged' | 'light' | 'heavy'

// A word with the spaces after it. Scripts without spaces are split into characters.
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
const wordWithSpaces = new RegExp(`(?:[${unspaced}]|[^\\s${unspaced}]+)\\s*`, 'gu')

/** Compares two texts word by word. Spaces and line breaks are not compared, and are shown as in `after`. */
export function diffWords(before: string, after: string, budget: DiffBudget): WordDiff {
  const [left, right] = [wordsOf(before), wordsOf(after)]
  const runs = diffTokens(left.map(trimmed), right.map(trimmed), budget)
  const changes = runs.map((run) => {
    const [words, start] = run.kind === 'removed' ? [left, run.before] : [right, run.after]
    return { kind: run.kind, text: words.slice(start, start + run.count).join('') }
  })
  const leading = /^\s*/.exec(after)?.[0] ?? ''
  return {
    changes: leading === '' ? changes : [{ kind: 'same', text: leading }, ...changes],
    count: countChanged(runs),
  }
}

/** A replaced word counts once: "three" that becomes "five" is one changed word. */
function countChanged(runs: readonly Change[]): WordCount {
  let changed = 0
  let same = 0
  runs.forEach(({ kind, count }, n) => {
    if (kind === 'same') same += count
    else if (kind === 'removed') changed += Math.max(count, addedAfter(runs, n))
    else if (runs[n - 1]?.kind !== 'removed') changed += count
  })
  return { changed, total: same + changed }
}

function addedAfter(runs: readonly Change[], n: number): number {
  const next = runs[n + 1]
  return next?.kind === 'added' ? next.count : 0
}

export function wordsOf(text: string): string[] {
  return text.match(wordWithSpaces) ?? []
}

function trimmed(word: string): string {
  return word.trimEnd()
}

// The share of changed words from which an edit is heavy.
const heavyFrom = 0.2

/** `isChanged`: whether anything differs, even if no word does. */
export function editLevel({ changed, total }: WordCount, isChanged: boolean): EditLevel {
  if (!isChanged) return 'unchanged'
  return changed < heavyFrom * total || changed === 0 ? 'light' : 'heavy'
}
