import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import { Evaluation } from '../../../contract/forms/evaluation.ts'
import { Location } from '../../../contract/forms/location.ts'

/**
 * Used by the form library during rendering to find the matching alternative. Answers are validated in a
 * worker, so the other methods do nothing.
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

const maxTextLength = 500
const maxTextLengthForRepeatedGroup = 20

/** A pattern sent by an agent must not block the page: potentially slow ones count as a match. */
function matches(pattern: string, text: string): boolean {
  const mayBacktrack = /\)\s*[*+{]|\\[1-9]/.test(pattern)
  if (text.length > (mayBacktrack ? maxTextLengthForRepeatedGroup : maxTextLength)) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
