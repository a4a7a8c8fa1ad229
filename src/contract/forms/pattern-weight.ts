// Large classes take as long to compile as many instructions, even longer if case is ignored
// (measured: \pL 0.04 ms, with (?i) 0.14 ms, (?i)\W 0.01 ms, (?i)[\x{80}-\x{ffff}] 3 ms).
const unicodeClassWeight = 15
const foldedUnicodeClassWeight = 60
const foldedClassWeight = 5
const foldedCharacterWeight = 1 / 100

const escapePattern = /\\(?:Q(.*?)(?:\\E|$)|([pP])(?:\{[^}]*\}|.)|x\{[^}]*\}|.)/suy
const setPattern = /\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]/suy
const repeatPattern = /\{(\d+)(?:,(\d*))?\}/y
const rangePattern = /(?:\\x\{?([0-9a-f]+)\}?|([^\\]))-(?:\\x\{?([0-9a-f]+)\}?|([^\\\]]))/giu

/**
 * Estimates from the text how many instructions a pattern compiles to. Compiling it just to find
 * out that it is too large can take 0.1 s, and one request can contain thousands of patterns.
 */
export function patternWeight(pattern: string): number {
  const ignoresCase = /\(\?[a-zA-Z]*i/.test(pattern)
  const open: number[] = []
  let classWeight = 0
  let total = 0
  let last = 0
  const add = (weight: number) => {
    total += weight
    last = weight
  }
  for (let at = 0; at < pattern.length; ) {
    const char = String.fromCodePoint(pattern.codePointAt(at)!)
    const escaped = char === '\\' ? readAt(escapePattern, pattern, at) : null
    const set = char === '[' ? readAt(setPattern, pattern, at) : null
    const repeat = char === '{' ? readAt(repeatPattern, pattern, at) : null
    at += (escaped ?? set ?? repeat)?.[0].length ?? char.length
    if (escaped) {
      add(escaped[1]?.length ?? 1)
      classWeight += classWeightOf(escaped[0], ignoresCase)
    } else if (set) {
      add(1)
      classWeight += classWeightOf(set[0], ignoresCase)
    } else if (repeat) {
      const min = Number(repeat[1])
      const max = Number(repeat[2] || repeat[1])
      // Each optional repetition needs a branch.
      const times = Math.max(min, 1) + 2 * Math.max(max - Math.max(min, 1), 0)
      total += last * (times - 1)
      last *= times
    } else if (char === '(') {
      open.push(total)
      add(2)
    } else if (char === ')') {
      last = total - (open.pop() ?? 0)
    } else {
      add(1)
    }
  }
  return total + classWeight
}

/**
 * Heavier patterns are refused without being compiled. RE2's time grows with program size times
 * text length, see evaluation.ts. `^.{1,120}$` and the longest pattern without classes and repeats
 * are within the limit.
 */
export const maxPatternWeight = 260
// Compiling takes up to 4 µs per instruction.
const unitsPerInstruction = 4

export function compileUnits(weight: number): number {
  return unitsPerInstruction * Math.min(weight, maxPatternWeight)
}

function readAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

function classWeightOf(piece: string, ignoresCase: boolean): number {
  const unicode = piece.match(/\\[pP]/g)?.length ?? 0
  if (!ignoresCase) return unicode * unicodeClassWeight
  const classes = piece.match(/\\[dDsSwW]|\[:|\[\^/g)?.length ?? 0
  return (
    unicode * foldedUnicodeClassWeight +
    classes * foldedClassWeight +
    charactersIn(piece) * foldedCharacterWeight
  )
}

function charactersIn(set: string): number {
  let count = 0
  for (const [, fromHex, from, toHex, to] of set.matchAll(rangePattern)) {
    const first = from?.codePointAt(0) ?? Number.parseInt(fromHex ?? '0', 16)
    const last = to?.codePointAt(0) ?? Number.parseInt(toHex ?? '0', 16)
    count += Math.max(last - first, 0)
  }
  return count
}
