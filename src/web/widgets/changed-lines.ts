import { diffArrays } from 'diff'

export type ChangedLine = {
  /** `header`: a header line of the patch, such as `@@ -1,4 +1,4 @@`. */
  kind: 'same' | 'removed' | 'added' | 'header'
  text: string
}

// Limits for very different texts of thousands of lines, which would block the page.
const diffLimits = { timeout: 300, maxEditLength: 4_000 }

/** Undefined if the diff takes too long. */
export function diffLines(before: string, after: string): ChangedLine[] | undefined {
  const changes = diffArrays(before.split('\n'), after.split('\n'), diffLimits)
  return changes?.flatMap(({ value, added, removed }) =>
    value.map((text) => ({
      kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
      text,
    })),
  )
}

/** The lines of a unified diff. Undefined if the text is not a diff. */
export function parsePatch(patch: string): ChangedLine[] | undefined {
  const lines = patch.replace(/\n$/, '').split('\n')
  if (!lines.some((line) => /^[+-]/.test(line))) return undefined
  return lines.map((line) => {
    if (/^(@@|diff |index |--- |\+\+\+ |\\ )/.test(line)) return { kind: 'header', text: line }
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line }
  })
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
