import { isObject } from '../forms/json.ts'
import { valueAt, valueAtSteps } from '../forms/prefill.ts'
import type { RuleCondition } from './rule.ts'

/** Whether all conditions hold for the data of a context. */
export function matchesConditions(conditions: RuleCondition[], data: unknown): boolean {
  return conditions.every(
    (condition) =>
      !isAmbiguousField(data, condition.field) && holds(condition, valueAt(data, condition.field)),
  )
}

/**
 * Whether a name with dots is both the name of a field and the path of a nested field. Whoever
 * writes only part of the data could choose which of the two is compared.
 */
export function isAmbiguousField(data: unknown, field: string): boolean {
  return (
    field.includes('.') &&
    isObject(data) &&
    Object.hasOwn(data, field) &&
    valueAtSteps(data, field.split('.')) !== undefined
  )
}

/** null counts as absent. Texts are compared exactly, and a number is never equal to a text. */
function holds(condition: RuleCondition, value: unknown): boolean {
  switch (condition.is) {
    case 'equals':
      return value === condition.value
    case 'oneOf':
      return condition.value.some((candidate) => candidate === value)
    case 'atMost':
      return typeof value === 'number' && value <= condition.value
    case 'atLeast':
      return typeof value === 'number' && value >= condition.value
    case 'present':
      return value !== undefined && value !== null
    case 'absent':
      return value === undefined || value === null
  }
}
