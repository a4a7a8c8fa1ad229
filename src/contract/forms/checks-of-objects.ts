import { quoted } from '../violation.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { Location } from './location.ts'
import { adopt, fail, type Here, isFull, type KeywordCheck } from './result.ts'

const fields = (count: number) => `${count} ${count === 1 ? 'field' : 'fields'}`

const forObjects =
  (check: (here: Here, setting: never) => void): KeywordCheck =>
  (here, setting) => {
    if (isObject(here.location.value)) check(here, setting as never)
  }

/** A text of nothing but blanks fills no field. */
function isMissing(location: Location, name: string): boolean {
  return !location.has(name) || location.child(name).isBlank
}

function checkNames(here: Here, names: readonly string[], message: string): void {
  here.evaluation.spend(names.length / 2)
  for (const name of names) {
    if (isFull(here.result)) return
    if (isMissing(here.location, name)) fail(here, message, here.location.child(name))
  }
}

function checkProperties(here: Here, properties: JsonObject): void {
  const names = Object.keys(properties)
  here.evaluation.spend(names.length / 8)
  here.result.declares = properties
  for (const name of names) {
    if (isFull(here.result)) return
    if (!here.location.has(name)) continue
    const schema = properties[name]
    const result = here.evaluation.evaluate(schema, here.location.child(name))
    adopt(here, result)
    // A field such as `kind: { const: 'refund' }` tells alternatives apart.
    if (result.wrongKind && isObject(schema) && Object.hasOwn(schema, 'const')) here.result.wrongKind = true
  }
}

function checkAdditional(here: Here, schema: unknown): void {
  const declared = own(here.schema, 'properties')
  here.evaluation.spend(here.location.names.length)
  if (schema !== false) here.result.anyField = true
  for (const name of here.location.names) {
    if (isFull(here.result)) return
    if (isObject(declared) && Object.hasOwn(declared, name)) continue
    const field = here.location.child(name)
    if (schema === false) fail(here, NOT_DECLARED, field)
    else adopt(here, here.evaluation.evaluate(schema, field))
  }
}

function checkFieldNames(here: Here, schema: unknown): void {
  here.evaluation.spend(here.location.names.length)
  for (const name of here.location.names) {
    if (isFull(here.result)) return
    const [wrong] = here.evaluation.evaluate(schema, here.location.fieldName(name)).violations
    if (wrong)
      fail(here, `This field cannot have this name. The name: ${wrong.message}`, here.location.child(name))
  }
}

function checkDependencies(here: Here, dependencies: JsonObject): void {
  const names = Object.keys(dependencies)
  here.evaluation.spend(names.length / 8)
  for (const name of names) {
    if (isFull(here.result)) return
    if (!here.location.has(name)) continue
    const dependency = dependencies[name]
    if (Array.isArray(dependency))
      checkNames(here, dependency, `This field is required when ${quoted(name)} is given.`)
    else adopt(here, here.evaluation.evaluate(dependency, here.location))
  }
}

export const NOT_DECLARED = 'This field is not part of the form.'

export const OBJECT_CHECKS: [string, KeywordCheck][] = [
  ['properties', forObjects(checkProperties)],
  ['required', forObjects((here, names: string[]) => checkNames(here, names, 'This field is required.'))],
  ['additionalProperties', forObjects(checkAdditional)],
  ['propertyNames', forObjects(checkFieldNames)],
  ['dependencies', forObjects(checkDependencies)],
  ['dependentRequired', forObjects(checkDependencies)],
  ['dependentSchemas', forObjects(checkDependencies)],
  [
    'minProperties',
    forObjects((here, limit: number) => {
      if (here.location.names.length < limit) fail(here, `Fill in at least ${fields(limit)}.`)
    }),
  ],
  [
    'maxProperties',
    forObjects((here, limit: number) => {
      if (here.location.names.length > limit) fail(here, `Fill in at most ${fields(limit)}.`)
    }),
  ],
]
