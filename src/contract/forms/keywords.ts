import { nearest, nearestTypo } from '../repairs/nearest.ts'
import { pathTo, quoted } from '../violation.ts'
import { formLimits } from './form-limits.ts'
import { formats } from './formats.ts'
import { isObject } from './json.ts'
import { allTypes } from './types.ts'

/** Returns what is wrong with the value of a keyword, or undefined. */
type ValueCheck = (value: unknown) => string | undefined

const { enumValues, alternatives, largestMinItems, maxItems, properties } = formLimits

const must =
  (isValid: (value: unknown) => boolean, message: string): ValueCheck =>
  (value) =>
    isValid(value) ? undefined : message

const text = must((value) => typeof value === 'string', 'Must be text.')
const flag = must((value) => typeof value === 'boolean', 'Must be true or false.')
const number = must((value) => Number.isFinite(value), 'Must be a number.')
const count = must(
  (value) => Number.isInteger(value) && (value as number) >= 0,
  'Must be a whole number, 0 or more.',
)
const list = must((value) => Array.isArray(value), 'Must be a list.')
const anyValue: ValueCheck = () => undefined
const isSchema = (value: unknown) => typeof value === 'boolean' || isObject(value)
const schema = must(isSchema, 'Must be a schema: an object, true or false.')
const isNames = (value: unknown) =>
  Array.isArray(value) &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length
const requiredNames: ValueCheck = (value) => {
  if (isNames(value)) return undefined
  if (typeof value !== 'boolean') return 'Must be a list of unique names.'
  return 'Must be a list of field names, on the object that contains the field. Remove it from the field.'
}

const listOf =
  (isElement: (value: unknown) => boolean, max: number, message: string): ValueCheck =>
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || !value.every(isElement)) return message
    return value.length > max ? `Contains ${value.length} entries; at most ${max} are allowed.` : undefined
  }

const mapOf =
  (isElement: (value: unknown) => boolean, message: string): ValueCheck =>
  (value) =>
    isObject(value) && Object.values(value).every(isElement) ? undefined : message

const schemas = (max: number) => listOf(isSchema, max, 'Must be a non-empty list of schemas.')
const schemaMap = mapOf(isSchema, 'Must be an object that maps names to schemas.')

const type: ValueCheck = (value) => {
  const types = Array.isArray(value) ? value : [value]
  if (types.length === 0) return 'Must name at least one type.'
  return types.every((name) => allTypes.has(name))
    ? undefined
    : `Unknown type. Use one of ${[...allTypes].join(', ')}.${typeHint(value)}`
}

/** Names of types in other languages and form builders. */
const otherTypeNames: Readonly<Record<string, string>> = {
  text: 'string',
  str: 'string',
  textarea: 'string',
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  checkbox: 'boolean',
  list: 'array',
  dict: 'object',
  map: 'object',
}

function typeHint(value: unknown): string {
  if (typeof value !== 'string') return ''
  const name = value.toLowerCase()
  const meant = Object.hasOwn(otherTypeNames, name)
    ? otherTypeNames[name]
    : nearest(name, allTypes as ReadonlySet<string>)
  return meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`
}

const atMost =
  (max: number): ValueCheck =>
  (value) =>
    count(value) ?? ((value as number) > max ? `Must be at most ${max}.` : undefined)

/**
 * The keywords that constrain an answer. A test compares them with `keyword-checks.ts`, where `if`
 * also checks `then` and `else`.
 */
export const enforcedKeywords: ReadonlyMap<string, ValueCheck> = new Map([
  ['type', type],
  [
    'enum',
    listOf(() => true, enumValues, 'Must be a non-empty list of values. Leave it out to allow any value.'),
  ],
  ['const', anyValue],
  ['minLength', count],
  ['maxLength', count],
  ['pattern', text],
  [
    'format',
    must(
      (value) => formats.has(value as string),
      `Unknown format. Use one of ${[...formats.keys()].join(', ')}, or remove it.`,
    ),
  ],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  [
    'multipleOf',
    must((value) => Number.isFinite(value) && (value as number) > 0, 'Must be a number greater than 0.'),
  ],
  ['items', (value) => (Array.isArray(value) ? schemas(Number.POSITIVE_INFINITY)(value) : schema(value))],
  ['prefixItems', schemas(Number.POSITIVE_INFINITY)],
  ['additionalItems', schema],
  ['minItems', atMost(largestMinItems)],
  ['maxItems', atMost(maxItems)],
  ['uniqueItems', flag],
  [
    'properties',
    (value) => {
      const problem = schemaMap(value)
      if (problem) return problem
      const size = Object.keys(value as object).length
      return size > properties
        ? `Contains ${size} properties; at most ${properties} are allowed per object.`
        : undefined
    },
  ],
  ['required', requiredNames],
  ['additionalProperties', schema],
  ['propertyNames', schema],
  ['minProperties', count],
  ['maxProperties', count],
  [
    'dependencies',
    mapOf(
      (value) => isSchema(value) || isNames(value),
      'Must be an object that maps names to schemas or to lists of unique names.',
    ),
  ],
  ['dependentRequired', mapOf(isNames, 'Must be an object that maps names to lists of unique names.')],
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

/** Keywords that describe a field and do not constrain an answer. */
export const annotationKeywords: ReadonlyMap<string, ValueCheck> = new Map([
  ['title', text],
  ['description', text],
  ['default', anyValue],
  ['examples', list],
  ['deprecated', flag],
  ['writeOnly', flag],
  ['enumNames', list],
  // A hint for renderers. Validation depends on oneOf and anyOf only.
  ['discriminator', must(isObject, 'Must be an object.')],
  ['$comment', text],
  ['$schema', text],
  ['$defs', schemaMap],
  ['definitions', schemaMap],
])

/** Whether a name has a meaning in a schema, so that it is not refused as unknown. */
export function isKeyword(name: string): boolean {
  return enforcedKeywords.has(name) || annotationKeywords.has(name) || name.startsWith('x-')
}

/**
 * What is wrong with a keyword. Unsupported keywords are refused, so that a sender never relies on
 * a rule that is not checked, such as `contains` or a misspelled `maxLenght`. Custom keywords start
 * with `x-`.
 */
export function keywordProblem(
  keyword: string,
  value: unknown,
  schemaPath: () => string,
): string | undefined {
  if (isKeyword(keyword)) return (enforcedKeywords.get(keyword) ?? annotationKeywords.get(keyword))?.(value)
  return `The keyword ${quoted(keyword)} is not supported. ${keywordAdvice(keyword, value, schemaPath)}`
}

function keywordAdvice(keyword: string, value: unknown, schemaPath: () => string): string {
  // An object is most likely a field, or a misspelled `properties`. Other keywords with an object
  // are rare.
  const candidates = isObject(value)
    ? ['properties']
    : [...enforcedKeywords.keys(), ...annotationKeywords.keys()]
  const meant = nearestTypo(keyword, candidates)
  if (meant !== undefined) return `Rename ${quoted(keyword)} to ${quoted(meant)}.`
  if (!isObject(value)) return 'Remove it.'
  return `If it is a field, move ${quoted(keyword)} into ${quoted(pathTo(schemaPath(), 'properties'))}, otherwise remove it.`
}
