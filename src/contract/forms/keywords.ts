import { quoted } from '../violation.ts'
import { FORM_LIMITS, TYPES } from './form-limits.ts'
import { FORMATS } from './formats.ts'
import { isObject } from './json.ts'

/** Tells what is wrong with a keyword's value; undefined when nothing is. */
type Shape = (value: unknown) => string | undefined

const { enumValues, alternatives, minItems, maxItems, properties } = FORM_LIMITS

const must =
  (holds: (value: unknown) => boolean, message: string): Shape =>
  (value) =>
    holds(value) ? undefined : message

const text = must((value) => typeof value === 'string', 'Must be text.')
const flag = must((value) => typeof value === 'boolean', 'Must be true or false.')
const number = must((value) => Number.isFinite(value), 'Must be a number.')
const count = must(
  (value) => Number.isInteger(value) && (value as number) >= 0,
  'Must be a whole number, 0 or more.',
)
const list = must((value) => Array.isArray(value), 'Must be a list.')
const anything: Shape = () => undefined
const isSchema = (value: unknown) => typeof value === 'boolean' || isObject(value)
const schema = must(isSchema, 'Must be a schema: an object, true or false.')
const isNames = (value: unknown) =>
  Array.isArray(value) &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length
const names = must(isNames, 'Must be a list of names, each once.')

const listOf =
  (what: (value: unknown) => boolean, most: number, message: string): Shape =>
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || !value.every(what)) return message
    return value.length > most ? `Holds ${value.length} entries; ${most} are allowed.` : undefined
  }

const mapOf =
  (what: (value: unknown) => boolean, message: string): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(what) ? undefined : message

const schemas = (most: number) => listOf(isSchema, most, 'Must be a list of schemas that is not empty.')
const schemaMap = mapOf(isSchema, 'Must be an object that maps names to schemas.')

const type: Shape = (value) => {
  const types = Array.isArray(value) ? value : [value]
  if (types.length === 0) return 'Must name at least one type.'
  return types.every((name) => TYPES.has(name))
    ? undefined
    : `Unknown type; use one of ${[...TYPES].join(', ')}.`
}

const atMost =
  (most: number): Shape =>
  (value) =>
    count(value) ?? ((value as number) > most ? `Is ${value}; at most ${most} is allowed.` : undefined)

/** The keywords that constrain an answer. Each has its place in `evaluate.ts`, or the tests fail. */
export const ENFORCED: ReadonlyMap<string, Shape> = new Map([
  ['type', type],
  ['enum', listOf(() => true, enumValues, 'Must be a list of values that is not empty.')],
  ['const', anything],
  ['minLength', count],
  ['maxLength', count],
  ['pattern', text],
  [
    'format',
    must(
      (value) => FORMATS.has(value as string),
      `Unknown format; use one of ${[...FORMATS.keys()].join(', ')}, or leave it out.`,
    ),
  ],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  [
    'multipleOf',
    must((value) => Number.isFinite(value) && (value as number) > 0, 'Must be a number above 0.'),
  ],
  ['items', (value) => (Array.isArray(value) ? schemas(Number.POSITIVE_INFINITY)(value) : schema(value))],
  ['prefixItems', schemas(Number.POSITIVE_INFINITY)],
  ['additionalItems', schema],
  ['minItems', atMost(minItems)],
  ['maxItems', atMost(maxItems)],
  ['uniqueItems', flag],
  [
    'properties',
    (value) => {
      const problem = schemaMap(value)
      if (problem) return problem
      const size = Object.keys(value as object).length
      return size > properties
        ? `Holds ${size} properties; ${properties} are allowed in one object.`
        : undefined
    },
  ],
  ['required', names],
  ['additionalProperties', schema],
  ['propertyNames', schema],
  ['minProperties', count],
  ['maxProperties', count],
  [
    'dependencies',
    mapOf(
      (value) => isSchema(value) || isNames(value),
      'Must be an object that maps names to schemas or to lists of names.',
    ),
  ],
  ['dependentRequired', mapOf(isNames, 'Must be an object that maps names to lists of names.')],
  ['dependentSchemas', schemaMap],
  ['$ref', text],
  ['allOf', schemas(Number.POSITIVE_INFINITY)],
  ['anyOf', schemas(alternatives)],
  ['oneOf', schemas(alternatives)],
  ['not', schema],
  ['if', schema],
  ['then', schema],
  ['else', schema],
  ['readOnly', flag],
])

/** Keywords that say something about a field and ask nothing of an answer. */
export const ANNOTATIONS: ReadonlyMap<string, Shape> = new Map([
  ['title', text],
  ['description', text],
  ['default', anything],
  ['examples', list],
  ['deprecated', flag],
  ['writeOnly', flag],
  ['enumNames', list],
  // Tells a renderer which alternative is meant; oneOf and anyOf decide all the same.
  ['discriminator', must(isObject, 'Must be an object.')],
  ['$comment', text],
  ['$schema', text],
  ['$defs', schemaMap],
  ['definitions', schemaMap],
])

/**
 * What is wrong with a keyword. One that is neither enforced nor an annotation is refused, so that a sender never
 * relies on a rule that nobody checks, be it `contains` or a misspelt `maxLenght`. Own keywords begin with `x-`.
 */
export function keywordProblem(keyword: string, value: unknown): string | undefined {
  const shape = ENFORCED.get(keyword) ?? ANNOTATIONS.get(keyword)
  if (shape) return shape(value)
  if (keyword.startsWith('x-')) return undefined
  return `The keyword ${quoted(keyword)} is not enforced here, so it is refused. Leave it out.`
}
