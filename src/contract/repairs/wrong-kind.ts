import type { z } from 'zod'
import { isObject } from '../forms/json.ts'
import {
  elementOf,
  exampleOf,
  isAbsent,
  isFreeForm,
  isRequired,
  kindOf,
  schemaKind,
  shapeOf,
} from './schema-walk.ts'

const nouns: Record<string, string> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
}

// An example may repeat a text that was sent, but no longer one than this.
const maxExampleText = 64

/** The message for a required field that is absent. */
export function missingMessage(schema: z.ZodType): string {
  return `This field is required.${withExample(exampleFor(schema, undefined))}`
}

/** The message for a value of another kind than the schema's, such as a string instead of an object. */
export function wrongKindMessage(expected: string, schema: z.ZodType, value: unknown): string {
  const kind = kindOf(value)
  // zod reports `int` only for numbers.
  if (expected === 'int') return 'Must be a whole number.'
  const must = `Must be ${nouns[expected] ?? `of type ${expected}`}`
  const advice = adviceFor(expected, schema, value)
  if (advice) return `${must}. ${advice}`
  const example = withExample(exampleFor(schema, value))
  return example === '' && kind in nouns ? `${must}, not ${nouns[kind]}.` : `${must}.${example}`
}

/** How to convert what was sent; undefined if that is not obvious. */
function adviceFor(expected: string, schema: z.ZodType, value: unknown): string | undefined {
  if (typeof value === 'string') {
    if ((expected === 'object' || expected === 'array') && /^\s*[[{]/.test(value))
      return 'Send the JSON itself, not JSON inside a string.'
    if (expected === 'number' && value.trim() !== '' && Number.isFinite(Number(value)))
      return 'Send it without quotes.'
  }
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return `Send it in quotes: "${value}".`
  if (Array.isArray(value) && value.length === 1 && kindOf(value[0]) === expected)
    return 'Send the item itself, not a list.'
  if (expected === 'array' && isObject(value) && isItem(schema, value)) return 'Send it inside a list.'
  return undefined
}

/** Whether an object has one of the required fields of the items of a list. */
function isItem(schema: z.ZodType, value: object): boolean {
  const element = elementOf(schema)
  const shape = shapeOf(element) ?? {}
  return Object.keys(shape).some((name) => isRequired(shape[name]!) && Object.hasOwn(value, name))
}

/** An example built from the text that was sent if that is valid, otherwise the example of the schema. */
export function exampleFor(schema: z.ZodType, value: unknown): unknown {
  if (typeof value === 'string' && !isAbsent(value.trim()) && value.length <= maxExampleText) {
    const built = schemaKind(schema) === 'string' ? undefined : build(schema, value)
    if (built !== undefined && schema.safeParse(built).success) return built
  }
  const element = elementOf(schema)
  return exampleOf(schema) ?? (element && wrap(exampleFor(element, value)))
}

function build(schema: z.ZodType, text: string): unknown {
  if (isFreeForm(schema)) return { text }
  const element = elementOf(schema)
  if (element) return wrap(build(element, text))
  const shape = shapeOf(schema)
  if (!shape) return schemaKind(schema) === 'string' ? text : undefined
  const required = Object.keys(shape).filter((name) => isRequired(shape[name]!))
  return Object.fromEntries(required.map((name) => [name, build(shape[name]!, text)]))
}

const wrap = (item: unknown) => (item === undefined ? undefined : [item])

export function withExample(example: unknown): string {
  return example === undefined ? '' : ` Send for example ${JSON.stringify(example)}.`
}
