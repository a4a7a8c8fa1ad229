import { quoted } from '../violation.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { Location } from './location.ts'
import { type CheckContext, fail, isFull, type KeywordCheck, mergeResult } from './result.ts'

const fields = (count: number) => `${count} ${count === 1 ? 'field' : 'fields'}`

/**
 * The value is `never`, so that each check can declare the type that `checkForm` has ensured for
 * its keyword.
 */
const forObjects =
  (check: (context: CheckContext, keywordValue: never) => void): KeywordCheck =>
  (context, keywordValue) => {
    if (isObject(context.location.value)) check(context, keywordValue as never)
  }

/** A blank text counts as missing. */
function isMissing(location: Location, name: string): boolean {
  return !location.has(name) || location.child(name).isBlank
}

function checkRequiredNames(context: CheckContext, names: readonly string[], message: string): void {
  context.evaluation.spend(names.length / 2)
  for (const name of names) {
    if (isFull(context.result)) return
    if (isMissing(context.location, name)) fail(context, message, context.location.child(name))
  }
}

function checkProperties(context: CheckContext, properties: JsonObject): void {
  const names = Object.keys(properties)
  context.evaluation.spend(names.length / 8)
  context.result.declares = properties
  for (const name of names) {
    if (isFull(context.result)) return
    if (!context.location.has(name)) continue
    const schema = properties[name]
    const result = context.evaluation.evaluate(schema, context.location.child(name))
    mergeResult(context, result)
    // A field such as `kind: { const: 'refund' }` distinguishes alternatives.
    if (result.isKindMismatch && isObject(schema) && Object.hasOwn(schema, 'const'))
      context.result.isKindMismatch = true
  }
}

function checkAdditional(context: CheckContext, schema: unknown): void {
  const declared = own(context.schema, 'properties')
  context.evaluation.spend(context.location.fieldNames.length)
  if (schema !== false) context.result.allowsAnyField = true
  for (const name of context.location.fieldNames) {
    if (isFull(context.result)) return
    if (isObject(declared) && Object.hasOwn(declared, name)) continue
    const field = context.location.child(name)
    if (schema === false) fail(context, undeclaredMessage, field)
    else mergeResult(context, context.evaluation.evaluate(schema, field))
  }
}

function checkFieldNames(context: CheckContext, schema: unknown): void {
  context.evaluation.spend(context.location.fieldNames.length)
  for (const name of context.location.fieldNames) {
    if (isFull(context.result)) return
    const [first] = context.evaluation.evaluate(schema, context.location.fieldNameAsValue(name)).violations
    if (first) fail(context, `Invalid field name. ${first.message}`, context.location.child(name))
  }
}

function checkDependencies(context: CheckContext, dependencies: JsonObject): void {
  const names = Object.keys(dependencies)
  context.evaluation.spend(names.length / 8)
  for (const name of names) {
    if (isFull(context.result)) return
    if (!context.location.has(name)) continue
    const dependency = dependencies[name]
    if (Array.isArray(dependency))
      checkRequiredNames(context, dependency, `This field is required when ${quoted(name)} is given.`)
    else mergeResult(context, context.evaluation.evaluate(dependency, context.location))
  }
}

export const undeclaredMessage = 'This field is not part of the form.'

export const objectChecks: [string, KeywordCheck][] = [
  ['properties', forObjects(checkProperties)],
  [
    'required',
    forObjects((context, names: string[]) => checkRequiredNames(context, names, 'This field is required.')),
  ],
  ['additionalProperties', forObjects(checkAdditional)],
  ['propertyNames', forObjects(checkFieldNames)],
  ['dependencies', forObjects(checkDependencies)],
  ['dependentRequired', forObjects(checkDependencies)],
  ['dependentSchemas', forObjects(checkDependencies)],
  [
    'minProperties',
    forObjects((context, limit: number) => {
      if (context.location.fieldNames.length < limit) fail(context, `Fill in at least ${fields(limit)}.`)
    }),
  ],
  [
    'maxProperties',
    forObjects((context, limit: number) => {
      if (context.location.fieldNames.length > limit) fail(context, `Fill in at most ${fields(limit)}.`)
    }),
  ],
]
