import type { Action } from '../../../contract/action.ts'
import { isObject, objectAt, own } from '../../../contract/forms/json.ts'
import { hasPrefill } from '../../../contract/forms/prefill.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'

type Form = Pick<Action, 'schema' | 'ui'>
type FormField = { name: string; title: string }

/** Fields of the form that start with something, which the rule keeps unless it sets them. */
export function keptFields({ schema, ui }: Form, context: unknown): FormField[] {
  const start = ruleAnswer({ schema, ui }, context)
  return Object.entries(objectAt(schema, 'properties'))
    .filter(
      ([name, property]) =>
        Object.hasOwn(start, name) ||
        hasPrefill({ properties: { [name]: property } }, { [name]: objectAt(ui, name) }),
    )
    .map(([name, property]) => {
      const title = isObject(property) ? own(property, 'title') : undefined
      return { name, title: typeof title === 'string' && title !== '' ? title : name }
    })
}

/** The form without the fields that the rule keeps. undefined: nothing is left to fill in. */
export function formWithout({ schema }: Form, kept: string[]): Record<string, unknown> | undefined {
  if (!schema || !Object.hasOwn(schema, 'properties')) return schema
  const left = Object.entries(objectAt(schema, 'properties')).filter(([name]) => !kept.includes(name))
  if (left.length === 0) return undefined
  const required = own(schema, 'required')
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter((name) => !kept.includes(name)) }),
  }
}
