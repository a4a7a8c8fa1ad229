import { diffArrays } from 'diff'

export type ChangedLine = {
  /** `header`: a header line of the patch, such as `@@ -1,4 +1,4 @@`. */
  kind: 'same' | 'removed' | 'added' | 'header'
  text: string
}

// The timeout is in milliseconds. Without limits, very different texts of thousands of lines would
// block the page.
const diffLimits = { timeout: 300, maxEditLength: 4_000 }

/** Undefined if the texts are too different or the diff takes too long. */
export function diffLines(before: string, after: string): ChangedLine[] | undefined {
  const changes = diffArrays(linesOf(before), linesOf(after), diffLimits)
  return changes?.flatMap(({ value, added, removed }) =>
    value.map((text) => ({
      kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
      text,
    })),
  )
}

/** An empty text has no line, so that a new file has no removed one. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** The lines of a unified diff. Undefined if no line starts with `+` or `-`: the text is not a diff. */
export function parsePatch(patch: string): ChangedLine[] | undefined {
  const lines = patch.replace(/\n$/, '').split('\n')
  if (!lines.some((line) => /^[+-]/.test(line))) return undefined
  // How many lines of the current hunk are left in each version. Inside a hunk, "--- " is not a header
  // but a removed line that starts with "-- ", such as a comment in SQL.
  let [before, after] = [0, 0]
  return lines.map((line, n) => {
    if (startsFile(lines, n)) [before, after] = [0, 0]
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (hunk) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)]
    const isInHunk = before > 0 || after > 0
    if (/^(@@|diff |index |\\ )/.test(line) || (!isInHunk && /^(--- |\+\+\+ )/.test(line)))
      return { kind: 'header', text: line }
    if (!line.startsWith('+')) before--
    if (!line.startsWith('-')) after--
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line }
  })
}

/**
 * Whether a file starts at this line. If so, the hunk before it has ended, even if it has fewer lines
 * than its header says, because agents often miscount.
 */
function startsFile(lines: string[], n: number): boolean {
  const isFile =
    lines[n]?.startsWith('--- ') && lines[n + 1]?.startsWith('+++ ') && lines[n + 2]?.startsWith('@@')
  return isFile === true || lines[n]?.startsWith('diff ') === true
}

export type LinePair = { before: ChangedLine | undefined; after: ChangedLine | undefined }

/** Pairs removed lines with the added lines that replace them. */
export function pairLines(lines: ChangedLine[]): LinePair[] {
  const pairs: LinePair[] = []
  /** Index of the first pair that may still lack its added line. */
  let open = 0
  for (const line of lines) {
    if (line.kind === 'removed') pairs.push({ before: line, after: undefined })
    else if (line.kind === 'added') {
      while (open < pairs.length && pairs[open]?.after) open++
      const pair = pairs[open]
      if (pair) pair.after = line
      else pairs.push({ before: undefined, after: line })
    } else {
      pairs.push({ before: line, after: line })
      open = pairs.length
    }
  }
  return pairs
}
