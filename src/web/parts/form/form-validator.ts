import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { Evaluation } from '../../../contract/forms/evaluation.ts'
import { Location } from '../../../contract/forms/location.ts'
import { matchesPattern } from './matches-pattern.ts'

/**
 * The form library calls it during rendering, to find the matching variant of oneOf and anyOf and to
 * decide whether an `if` applies. Answers are validated in a worker, so the other methods do nothing.
 */
export const formValidator: ValidatorType = {
  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema) {
    try {
      const location = new Location(formData)
      return new Evaluation(rootSchema, { matches }).evaluate(schema, location).violations.length === 0
    } catch {
      return false
    }
  },
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
}

const maxPaths = 100_000
// Replaces a group without choices. No pattern contains this character.
const group = '\0'

/**
 * Runs on the main thread, where a pattern sent by an agent must not block the page. A pattern that
 * could take long counts as matching, because the worker and the service check the answer anyway.
 */
function matches(pattern: string, text: string): boolean {
  return countPaths(pattern, text.length) > maxPaths || (matchesPattern(pattern, text) ?? true)
}

/**
 * An upper bound of the paths that a backtracking engine may try. Infinity if no bound is known, as
 * for `(a|b)*`.
 */
export function countPaths(pattern: string, textLength: number): number {
  if (/\\[1-9k]/.test(pattern)) return Number.POSITIVE_INFINITY
  let rest = pattern
    // Escapes and classes match one character; what they contain is not an operator.
    .replace(/\\(?:[pPu]\{[^}]*\}|.)/gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:<\w+>|<?[=!]|:)/g, '(')
    .replace(/([*+?}])\?/g, '$1')
    // A fixed count leaves no choice.
    .replace(/([^)])\{\d+\}/g, '$1')
  // Groups without choices are like one character. The loop ends, because the text gets shorter.
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/\([^()|*+?{]*\)/g, group)
  }
  if (/\)[*+{]/.test(rest) || rest.includes(`${group}{`)) return Number.POSITIVE_INFINITY
  const isAnchored = rest.startsWith('^') && !rest.includes('|')
  const repeats = rest.match(/[*+{]/g)?.length ?? 0
  const options = rest.match(/[?|]/g)?.length ?? 0
  return (textLength + 1) ** (repeats + (isAnchored ? 0 : 1)) * 2 ** options
}
