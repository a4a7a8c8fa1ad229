import type { Action } from '../../../contract/action.ts'
import { isObject, type JsonObject, objectAt, own } from '../../../contract/forms/json.ts'

type Form = Pick<Action, 'schema' | 'ui'>
type FormField = { name: string; title: string }

/** Fields of the form that start with a value: one of the context, or a default. */
export function fieldsWithInitialValue({ schema, ui }: Form): FormField[] {
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, property]) => {
    if (!isObject(property) || !startsWithValue(property, objectAt(ui, name))) return []
    const title = own(property, 'title')
    return [{ name, title: typeof title === 'string' && title !== '' ? title : name }]
  })
}

function startsWithValue(property: JsonObject, hints: JsonObject): boolean {
  if (Object.hasOwn(property, 'default')) return true
  // As in the contract's prefill: a read-only field is not filled from the context.
  const isPrefilled = typeof own(objectAt(hints, 'ui:options'), 'prefill') === 'string'
  if (isPrefilled && own(property, 'readOnly') !== true) return true
  return Object.entries(objectAt(property, 'properties')).some(
    ([name, inner]) => isObject(inner) && startsWithValue(inner, objectAt(hints, name)),
  )
}

/** The form without the fields of these names. undefined: nothing is left to fill in. */
export function formWithout({ schema }: Form, names: string[]): JsonObject | undefined {
  if (!schema || !Object.hasOwn(schema, 'properties')) return schema
  const left = Object.entries(objectAt(schema, 'properties')).filter(([name]) => !names.includes(name))
  if (left.length === 0) return undefined
  const required = own(schema, 'required')
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.includes(name)) }),
  }
}
