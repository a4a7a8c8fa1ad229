import { RE2JS } from 're2js'
import { maxPatternWeight, patternWeight } from '../../contract/forms/pattern-weight.ts'

// A pattern can use several megabytes after matching a long text.
const maxCachedPatterns = 30

const tooLarge =
  'The pattern is too big to be evaluated quickly. Use smaller repeats and fewer character classes, or minLength and maxLength.'

const cache = new Map<string, RE2JS>()

/** Why a pattern cannot be used, as a message for its sender. Undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  if (patternWeight(pattern) > maxPatternWeight) return tooLarge
  try {
    return compile(pattern).programSize() > maxPatternWeight ? tooLarge : undefined
  } catch (problem) {
    const reason =
      problem instanceof Error ? problem.message.replace(/^error parsing regexp: /, '') : 'unknown error'
    return `RE2 cannot read this pattern (${reason}). Lookaround and backreferences are not supported.`
  }
}

/** Whether the pattern matches anywhere in the text, as in JSON Schema. */
export function matches(pattern: string, text: string): boolean {
  return compile(pattern).test(text)
}

function compile(pattern: string): RE2JS {
  const compiled = cache.get(pattern) ?? RE2JS.compile(pattern)
  // Inserted again, so that the first key is the least recently used one.
  cache.delete(pattern)
  cache.set(pattern, compiled)
  if (cache.size > maxCachedPatterns) cache.delete(cache.keys().next().value as string)
  return compiled
}
