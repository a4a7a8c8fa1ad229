import { quoted } from '../violation.ts'
import { formats } from './formats.ts'
import { equalJson, isObject, type JsonObject, own } from './json.ts'
import { isMultipleOf } from './multiple-of.ts'
import { type CheckContext, fail, type KeywordCheck } from './result.ts'

const typeNames: ReadonlyMap<unknown, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'yes or no'],
  ['array', 'a list'],
  ['object', 'a group of fields'],
])
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return typeof value === type
}

function failAsMismatch(context: CheckContext, message: string): void {
  fail(context, message)
  context.result.isKindMismatch = true
  // One violation is enough: the fields of the value are not also reported as undeclared.
  context.result.allowsAnything = true
}

const checkType: KeywordCheck = (context, types) => {
  const list = Array.isArray(types) ? types : [types]
  if (list.some((type) => isOfType(context.location.value, type))) return
  const names = list.flatMap((type) => typeNames.get(type) ?? [])
  failAsMismatch(context, `Must be ${names.length > 0 ? alternatives.format(names) : 'empty'}.`)
}

const checkEnum: KeywordCheck = (context, values) => {
  const { scalars, others } = context.evaluation.enumValuesOf(values as unknown[])
  const { value } = context.location
  if (scalars.has(value) || others.some((other) => isSame(context, other)))
    context.result.allowsAnything = true
  else failAsMismatch(context, 'Choose one of the options.')
}

const checkConst: KeywordCheck = (context, value) => {
  if (isSame(context, value)) context.result.allowsAnything = true
  else
    failAsMismatch(
      context,
      isObject(value) || Array.isArray(value)
        ? 'Must be the value that the form defines.'
        : `Must be ${quoted(value)}.`,
    )
}

function isSame(context: CheckContext, value: unknown): boolean {
  context.evaluation.spend(1 / 2)
  return equalJson(context.location.value, value, (units) => context.evaluation.spend(units))
}

/** A read-only value must be returned unchanged or left out. */
const checkReadOnly: KeywordCheck = (context, readOnly) => {
  if (readOnly !== true) return
  const expected = defaultOf(context, context.schema, new Set())
  if (expected === undefined || !isSame(context, expected)) fail(context, 'This field cannot be changed.')
}

function defaultOf(context: CheckContext, schema: unknown, seen: Set<unknown>): unknown {
  if (!isObject(schema) || seen.has(schema)) return undefined
  context.evaluation.spend(1)
  if (Object.hasOwn(schema, 'default')) return schema.default
  seen.add(schema)
  const inherited = defaultFromParts(context, schema, seen)
  seen.delete(schema)
  return inherited
}

function defaultFromParts(context: CheckContext, schema: JsonObject, seen: Set<unknown>): unknown {
  const referred = defaultOf(context, context.evaluation.resolve(own(schema, '$ref')), seen)
  const properties = own(schema, 'properties')
  if (referred !== undefined || !isObject(properties)) return referred
  const defaults: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    const value = defaultOf(context, properties[name], seen)
    if (value !== undefined) defaults[name] = value
  }
  return defaults
}

const forNumbers =
  (isValid: (value: number, limit: number) => boolean, message: (limit: number) => string): KeywordCheck =>
  (context, limit) => {
    const { value } = context.location
    if (typeof value === 'number' && !isValid(value, limit as number)) fail(context, message(limit as number))
  }

const checkMultiple = forNumbers(isMultipleOf, (limit) => `Must be a multiple of ${limit}.`)

/**
 * The value is `never`, so that each check can declare the type that `checkForm` has ensured for
 * its keyword.
 */
const forTexts =
  (check: (context: CheckContext, text: string, keywordValue: never) => string | undefined): KeywordCheck =>
  (context, keywordValue) => {
    const { value } = context.location
    const message = typeof value === 'string' ? check(context, value, keywordValue as never) : undefined
    if (message !== undefined) fail(context, message)
  }

const characters = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`

export const valueChecks: [string, KeywordCheck][] = [
  ['type', checkType],
  ['enum', checkEnum],
  ['const', checkConst],
  ['readOnly', checkReadOnly],
  [
    'minimum',
    forNumbers(
      (value, limit) => value >= limit,
      (limit) => `Must be at least ${limit}.`,
    ),
  ],
  [
    'maximum',
    forNumbers(
      (value, limit) => value <= limit,
      (limit) => `Must be at most ${limit}.`,
    ),
  ],
  [
    'exclusiveMinimum',
    forNumbers(
      (value, limit) => value > limit,
      (limit) => `Must be more than ${limit}.`,
    ),
  ],
  [
    'exclusiveMaximum',
    forNumbers(
      (value, limit) => value < limit,
      (limit) => `Must be less than ${limit}.`,
    ),
  ],
  [
    'multipleOf',
    (context, divisor) => {
      // The numbers can have hundreds of digits.
      context.evaluation.spend(4)
      checkMultiple(context, divisor)
    },
  ],
  [
    'minLength',
    forTexts((context, _, limit: number) =>
      context.location.codePointCount < limit ? `Must be at least ${characters(limit)}.` : undefined,
    ),
  ],
  [
    'maxLength',
    forTexts((context, _, limit: number) =>
      context.location.codePointCount > limit ? `Must be at most ${characters(limit)}.` : undefined,
    ),
  ],
  [
    'pattern',
    forTexts((context, text, pattern: string) => {
      const result = context.evaluation.match(pattern, text)
      if (result === 'too long') return 'This text is too long to be checked against its pattern. Shorten it.'
      return result === 'match' ? undefined : 'Must have the expected format.'
    }),
  ],
  [
    'format',
    forTexts((context, text, name: string) => {
      // The cost grows with the length of the text.
      context.evaluation.spend(text.length / 64)
      const format = formats.get(name)
      return !format || format.isValid(text) ? undefined : format.message
    }),
  ],
]
