import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { Evaluation } from '../../../contract/forms/evaluation.ts'
import { Location } from '../../../contract/forms/location.ts'

/**
 * What the form library asks while it draws: does this alternative fit what is typed? Answers are checked elsewhere,
 * in a worker, so the rest of its validator is empty.
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

const longestText = 500
const longestTextForRepeatedGroup = 20

/** The page itself must never hang on a sender's pattern: what could take long counts as a match here. */
function matches(pattern: string, text: string): boolean {
  const mayExplode = /\)\s*[*+{]|\\[1-9]/.test(pattern)
  if (text.length > (mayExplode ? longestTextForRepeatedGroup : longestText)) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
