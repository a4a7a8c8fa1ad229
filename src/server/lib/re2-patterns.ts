import { RE2JS } from 're2js'
import { patternWeight } from '../../contract/forms/pattern-weight.ts'

// RE2's time grows with program size times text. Any 256 characters without repeats and `^.{1,120}$` still fit; the
// answer's side of the bound is in contract/forms/evaluation.ts.
const LARGEST_PROGRAM = 260
// Each holds some megabytes of automaton once it has read a long text.
const CACHED_PATTERNS = 30

const TOO_BIG =
  'The pattern is too big to be checked quickly. Use smaller repeats and fewer character classes, or minLength and maxLength.'

const cache = new Map<string, RE2JS>()

/** Why a pattern cannot be used, in words for its sender; undefined when it can. */
export function patternProblem(pattern: string): string | undefined {
  if (patternWeight(pattern) > LARGEST_PROGRAM) return TOO_BIG
  try {
    return compile(pattern).programSize() > LARGEST_PROGRAM ? TOO_BIG : undefined
  } catch (problem) {
    const reason =
      problem instanceof Error ? problem.message.replace(/^error parsing regexp: /, '') : 'unknown error'
    return `RE2 cannot read this pattern (${reason}). It knows neither look-around nor back-references.`
  }
}

/** Whether the pattern is found anywhere in the text, as JSON Schema wants it. */
export function matches(pattern: string, text: string): boolean {
  return compile(pattern).test(text)
}

function compile(pattern: string): RE2JS {
  const compiled = cache.get(pattern) ?? RE2JS.compile(pattern)
  // Set again, so that the first key is the one unused for longest.
  cache.delete(pattern)
  cache.set(pattern, compiled)
  if (cache.size > CACHED_PATTERNS) cache.delete(cache.keys().next().value as string)
  return compiled
}
