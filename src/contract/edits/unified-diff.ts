import { type Change, type DiffBudget, diffTokens } from './diff-tokens.ts'

const contextLines = 3
const noNewline = '\\ No newline at end of file'

/** The change of a text in the format of `diff -u`, which `patch` and libraries can apply. */
export function unifiedDiff(before: string, after: string, budget: DiffBudget): string {
  const [left, right] = [linesOf(before), linesOf(after)]
  const lines = diffTokens(left, right, budget).flatMap((change) => printedLines(change, left, right))
  const hunks = hunkRanges(lines).map(([from, to]) => printHunk(lines.slice(from, to)))
  return ['--- before\n', '+++ after\n', ...hunks].join('')
}

type PrintedLine = { kind: Change['kind']; text: string; before: number; after: number }

/** Lines with their line break, which the last one may lack. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function printedLines(change: Change, left: readonly string[], right: readonly string[]): PrintedLine[] {
  const { kind, before, after, count } = change
  const isAdded = kind === 'added'
  const texts = isAdded ? right.slice(after, after + count) : left.slice(before, before + count)
  return texts.map((text, n) => ({
    kind,
    text,
    before: before + (isAdded ? 0 : n),
    after: after + (kind === 'removed' ? 0 : n),
  }))
}

/** Ranges of changed lines with the lines around them. Ranges that overlap or touch are merged. */
function hunkRanges(lines: readonly PrintedLine[]): [from: number, to: number][] {
  const ranges: [number, number][] = []
  lines.forEach(({ kind }, n) => {
    if (kind === 'same') return
    const from = Math.max(0, n - contextLines)
    const to = Math.min(lines.length, n + contextLines + 1)
    const last = ranges.at(-1)
    if (last && from <= last[1]) last[1] = to
    else ranges.push([from, to])
  })
  return ranges
}

const signs = { same: ' ', removed: '-', added: '+' } as const

function printHunk(lines: readonly PrintedLine[]): string {
  const first = lines[0]!
  const removed = lines.filter(({ kind }) => kind !== 'added').length
  const added = lines.filter(({ kind }) => kind !== 'removed').length
  const head = `@@ -${range(first.before, removed)} +${range(first.after, added)} @@\n`
  const body = lines.map(({ kind, text }) => {
    return `${signs[kind]}${text}${text.endsWith('\n') ? '' : `\n${noNewline}\n`}`
  })
  return head + body.join('')
}

/** A range in the head of a hunk. Lines are counted from 1, and an empty range names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`
}
