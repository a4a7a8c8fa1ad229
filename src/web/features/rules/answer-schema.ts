import type { Action } from '../../../contract/action.ts'

type Form = Pick<Action, 'schema' | 'ui'>
type Json = Record<string, unknown>
type FormField = { name: string; title: string }

/** Fields of the form that start with a value, from the context or a default. The rule keeps it unless it sets them. */
export function keptFields({ schema, ui }: Form): FormField[] {
  return Object.entries(objectIn(schema?.properties))
    .filter(([name, property]) => startsWithValue(objectIn(property), objectIn(ui?.[name])))
    .map(([name, property]) => {
      const { title } = objectIn(property)
      return { name, title: typeof title === 'string' && title !== '' ? title : name }
    })
}

function startsWithValue(property: Json, hints: Json): boolean {
  const { prefill } = objectIn(hints['ui:options'])
  if (Object.hasOwn(property, 'default') || (typeof prefill === 'string' && property.readOnly !== true))
    return true
  return Object.entries(objectIn(property.properties)).some(([name, inner]) =>
    startsWithValue(objectIn(inner), objectIn(hints[name])),
  )
}

// Not from the contract's forms/json, which would become a chunk of its own for every task.
function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** The form without the fields that the rule keeps. undefined: nothing is left to fill in. */
export function formWithout({ schema }: Form, kept: string[]): Json | undefined {
  if (!schema || !Object.hasOwn(schema, 'properties')) return schema
  const left = Object.entries(objectIn(schema.properties)).filter(([name]) => !kept.includes(name))
  if (left.length === 0) return undefined
  const { required } = schema
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter((name) => !kept.includes(name)) }),
  }
}
