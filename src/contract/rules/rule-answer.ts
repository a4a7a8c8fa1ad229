import type { Action } from '../action.ts'
import { Budget, TooComplex } from '../forms/budget.ts'
import { isObject, own } from '../forms/json.ts'
import { valueAt, withPrefill } from '../forms/prefill.ts'
import { resolveReference } from '../forms/reference.ts'
import { propertiesOf } from '../forms/resolve-refs.ts'

// Per form. Several parts of a form can refer to the same part, so a form can have far more fields
// than were written.
const maxParts = 10_000

/**
 * The data with which a rule answers one task: the data of the rule and, for fields that it leaves
 * out, what the form starts with. Undefined if the form has too many fields.
 */
export function ruleAnswer(
  { schema, ui }: Pick<Action, 'schema' | 'ui'>,
  contextData: unknown,
  data: Record<string, unknown> = {},
): Record<string, unknown> | undefined {
  if (schema === undefined) return data
  const form = withPrefill(schema, ui, (source) => valueAt(contextData, source))
  try {
    const start = startOf(form, form, [], new Budget(maxParts))
    return isObject(start) ? { ...start, ...data } : data
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    return undefined
  }
}

/**
 * What a part of the form starts with. `followed`: the references that led here; a circular one has
 * no start value.
 */
function startOf(form: unknown, part: unknown, followed: unknown[], budget: Budget): unknown {
  budget.spend(1)
  if (!isObject(part)) return undefined
  // Checked before the reference: a default beside a reference, such as a prefilled value, takes
  // precedence over the default of its target.
  if (Object.hasOwn(part, 'default')) return part.default
  const reference = own(part, '$ref')
  if (reference !== undefined) {
    if (followed.includes(reference)) return undefined
    return startOf(form, resolveReference(form, reference), [...followed, reference], budget)
  }
  const values = Object.entries(propertiesOf(part)).flatMap(([name, property]) => {
    const value = startOf(form, property, followed, budget)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}
