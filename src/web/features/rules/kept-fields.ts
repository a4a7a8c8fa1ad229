import type { Action } from '../../../contract/action.ts'
import { fieldLabel } from '../../../contract/forms/field-label.ts'
import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { withPrefill } from '../../../contract/forms/prefill.ts'
import { propertiesOf, resolveRefs } from '../../../contract/forms/resolve-refs.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'

type Form = Pick<Action, 'schema' | 'ui'>
type FormField = { name: string; title: string; isReadOnly: boolean }

/** Fields of the form that start with a value: one of the context, or a default. */
export function fieldsWithInitialValue({ schema, ui }: Form): FormField[] {
  if (!schema) return []
  // As if the context had every value: which values it has differs from task to task.
  const prefilled = withPrefill(schema, ui, () => null)
  // The answer of a rule without data of its own is what the form starts with.
  const initial = ruleAnswer({ schema: prefilled }, undefined) ?? {}
  return Object.entries(propertiesOf(resolveRefs(schema, schema))).flatMap(([name, property]) => {
    if (!Object.hasOwn(initial, name)) return []
    // What is written beside a reference takes precedence over its target.
    const field = { ...resolveRefs(schema, property), ...(isObject(property) && property) }
    const hints = isObject(ui) ? own(ui, name) : undefined
    const title = fieldLabel(name, field, isObject(hints) ? hints : {})
    return [{ name, title, isReadOnly: own(field, 'readOnly') === true }]
  })
}

/** The form without the fields of these names. undefined: nothing is left to fill in. */
export function formWithout({ schema }: Form, names: string[]): JsonObject | undefined {
  if (!schema) return undefined
  const form = resolveRefs(schema, schema)
  if (!Object.hasOwn(form, 'properties')) return schema
  const left = Object.entries(propertiesOf(form)).filter(([name]) => !names.includes(name))
  if (left.length === 0) return undefined
  const required = own(form, 'required')
  const { $ref: _ref, ...rest } = schema
  return {
    // With the definitions that its fields refer to.
    ...rest,
    ...form,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.includes(name)) }),
  }
}
