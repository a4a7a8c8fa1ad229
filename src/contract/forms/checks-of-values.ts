import { quoted } from '../violation.ts'
import { FORMATS } from './formats.ts'
import { equalJson, isObject, type JsonObject, own } from './json.ts'
import { isMultipleOf } from './multiple-of.ts'
import { fail, type Here, type KeywordCheck } from './result.ts'

const TYPE_MESSAGES: ReadonlyMap<unknown, string> = new Map([
  ['string', 'Must be text.'],
  ['number', 'Must be a number.'],
  ['integer', 'Must be a whole number.'],
  ['boolean', 'Must be yes or no.'],
  ['null', 'Must be empty.'],
  ['array', 'Must be a list.'],
  ['object', 'Must be a group of fields.'],
])

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return typeof value === type
}

function failKind(here: Here, message: string): void {
  fail(here, message)
  here.result.wrongKind = true
  here.result.anything = true
}

const checkType: KeywordCheck = (here, types) => {
  const list = Array.isArray(types) ? types : [types]
  if (list.some((type) => isOfType(here.location.value, type))) return
  const named = list.find((type) => type !== 'null')
  failKind(here, TYPE_MESSAGES.get(named) ?? 'Must be empty.')
}

const checkEnum: KeywordCheck = (here, values) => {
  const { scalars, others } = here.evaluation.optionsOf(values as unknown[])
  const { value } = here.location
  if (scalars.has(value) || others.some((option) => isSame(here, option))) here.result.anything = true
  else failKind(here, 'Choose one of the options.')
}

const checkConst: KeywordCheck = (here, value) => {
  if (isSame(here, value)) here.result.anything = true
  else
    failKind(
      here,
      isObject(value) || Array.isArray(value) ? 'Must be the given value.' : `Must be ${quoted(value)}.`,
    )
}

function isSame(here: Here, value: unknown): boolean {
  here.evaluation.spend(1 / 2)
  return equalJson(here.location.value, value, (steps) => here.evaluation.spend(steps))
}

/** A value that nobody may change has to come back as the form gave it, or not at all. */
const checkReadOnly: KeywordCheck = (here, readOnly) => {
  if (readOnly !== true) return
  const given = givenValue(here, here.schema, new Set())
  if (given === undefined || !isSame(here, given)) fail(here, 'This field cannot be changed.')
}

function givenValue(here: Here, schema: unknown, seen: Set<unknown>): unknown {
  if (!isObject(schema) || seen.has(schema)) return undefined
  here.evaluation.spend(1)
  if (Object.hasOwn(schema, 'default')) return schema.default
  seen.add(schema)
  const given = givenByParts(here, schema, seen)
  seen.delete(schema)
  return given
}

function givenByParts(here: Here, schema: JsonObject, seen: Set<unknown>): unknown {
  const referred = givenValue(here, here.evaluation.resolve(own(schema, '$ref')), seen)
  const properties = own(schema, 'properties')
  if (referred !== undefined || !isObject(properties)) return referred
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    const value = givenValue(here, properties[name], seen)
    if (value !== undefined) given[name] = value
  }
  return given
}

const forNumbers =
  (holds: (value: number, limit: number) => boolean, message: (limit: number) => string): KeywordCheck =>
  (here, limit) => {
    const { value } = here.location
    if (typeof value === 'number' && !holds(value, limit as number)) fail(here, message(limit as number))
  }

const checkMultiple = forNumbers(isMultipleOf, (limit) => `Must be a multiple of ${limit}.`)

const forTexts =
  (check: (here: Here, text: string, setting: never) => string | undefined): KeywordCheck =>
  (here, setting) => {
    const { value } = here.location
    const message = typeof value === 'string' ? check(here, value, setting as never) : undefined
    if (message !== undefined) fail(here, message)
  }

const characters = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`

export const VALUE_CHECKS: [string, KeywordCheck][] = [
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
    (here, divisor) => {
      // Numbers of hundreds of digits, at worst.
      here.evaluation.spend(4)
      checkMultiple(here, divisor)
    },
  ],
  [
    'minLength',
    forTexts((here, _, limit: number) =>
      here.location.codePoints < limit ? `Must be at least ${characters(limit)}.` : undefined,
    ),
  ],
  [
    'maxLength',
    forTexts((here, _, limit: number) =>
      here.location.codePoints > limit ? `Must be at most ${characters(limit)}.` : undefined,
    ),
  ],
  [
    'pattern',
    forTexts((here, text, pattern: string) => {
      const found = here.evaluation.matches(pattern, text)
      if (found === 'too long') return 'This text is too long to be checked against its pattern. Shorten it.'
      return found ? undefined : 'Must have the expected format.'
    }),
  ],
  [
    'format',
    forTexts((here, text, name: string) => {
      // A long text counts as much as many short ones.
      here.evaluation.spend(text.length >> 6)
      const format = FORMATS.get(name)
      return !format || format.holds(text) ? undefined : format.message
    }),
  ],
]
