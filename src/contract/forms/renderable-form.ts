import { Budget, TooComplex } from './budget.ts'
import { type Fields, fieldsAt } from './fields.ts'
import { displayWorkUnits } from './form-limits.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { besideNull, isNullable } from './nullable.ts'
import { labeledValues, labelsInHints } from './options-of.ts'
import { propertiesOf, resolveRefs } from './resolve-refs.ts'
import { sanitizeHints } from './sanitize-hints.ts'
import { SchemaGraph } from './schema-graph.ts'
import { subschemasOf } from './subschemas.ts'
import { scalarTypes } from './types.ts'

type MutableObject = Record<string, unknown>

/**
 * A copy of a form for react-jsonschema-form, which no longer supports `enumNames` and throws on
 * unknown widgets. Answers are checked against the original form.
 */
export function createRenderableForm(schema: unknown, ui: unknown): { schema: JsonObject; ui: JsonObject } {
  const schemaCopy = copyOf(schema)
  const uiCopy = hintsFor(schema, ui)
  simplifyNullable(schemaCopy, schemaCopy)
  moveEnumLabels(schemaCopy, uiCopy)
  addNullDefaults(schemaCopy)
  return { schema: schemaCopy, ui: uiCopy }
}

/** A form that is too complex, for example one from before forms had a budget, is shown without hints. */
function hintsFor(schema: unknown, ui: unknown): MutableObject {
  const graph = new SchemaGraph(schema, new Budget(displayWorkUnits))
  try {
    const hints = copyOf(sanitizeHints(graph, ui ?? {}, '').ui)
    const addressable = new Set<unknown>()
    collectAddressable(schema, addressable)
    preserveSenderLabels(graph, hints, addressable)
    return hints
  } catch (error) {
    if (error instanceof TooComplex) return {}
    throw error
  }
}

/** A deep copy that shares no objects, not even between its own branches. */
function copyOf(value: unknown): MutableObject {
  return JSON.parse(JSON.stringify(value))
}

/** The key of a subschema in the hints, if hints can address it. */
function hintName(keyword: string, steps: readonly (string | number)[]): string | undefined {
  if (keyword === 'items' && steps.length === 1) return 'items'
  const name = String(steps[1])
  return keyword === 'properties' && !name.startsWith('ui:') ? name : undefined
}

/** Finds the schemas that hints can address without references and combinations. */
function collectAddressable(schema: unknown, found: Set<unknown>): void {
  if (!isObject(schema)) return
  found.add(schema)
  for (const { keyword, steps, schema: inner } of subschemasOf(schema)) {
    if (hintName(keyword, steps) !== undefined) collectAddressable(inner, found)
  }
}

/**
 * Moves `enumNames` into the hints or, where hints cannot address them, into `oneOf` with const and
 * title.
 */
function moveEnumLabels(schema: unknown, hints: MutableObject | undefined): void {
  if (!isObject(schema)) return
  for (const { keyword, steps, schema: inner } of subschemasOf(schema)) {
    const name = hints && hintName(keyword, steps)
    if (!hints || name === undefined) {
      moveEnumLabels(inner, undefined)
      continue
    }
    const existing = own(hints, name)
    const innerHints: MutableObject = isObject(existing) ? (existing as MutableObject) : {}
    moveEnumLabels(inner, innerHints)
    if (Object.keys(innerHints).length > 0) hints[name] = innerHints
  }
  labelValues(schema as MutableObject, hints)
}

/**
 * The library shows "a text or null" as a choice between "Option 1" and "Option 2", and requires a
 * value of a required field. In the copy it is a text that may be left empty.
 */
function simplifyNullable(schema: unknown, form: MutableObject): void {
  if (!isObject(schema)) return
  const copy = schema as MutableObject
  const required = own(schema, 'required')
  if (Array.isArray(required)) {
    const properties = propertiesOf(schema)
    copy.required = required.filter((name) => !isNullable(resolveRefs(form, own(properties, String(name)))))
  }
  const { keyword, variant } = besideNull(schema) ?? {}
  const { $defs, definitions, ...value } = resolveRefs(form, variant)
  // The library would fill in a constant by itself.
  if (keyword !== undefined && scalarTypes.has(value.type) && !Object.hasOwn(value, 'const')) {
    delete copy[keyword]
    Object.assign(copy, { ...value, ...copy, type: [value.type, 'null'] })
  }
  for (const { keyword: parent, schema: inner } of subschemasOf(schema)) {
    simplifyNullable(inner, form)
    if (isObject(inner) && (parent === 'anyOf' || parent === 'oneOf')) nameVariant(inner)
  }
}

const variantNames: ReadonlyMap<unknown, string> = new Map([
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
  ['array', 'List'],
  ['null', 'None'],
])

/** The library would name a variant without a title "Option 1". */
function nameVariant(variant: MutableObject): void {
  const name = Object.hasOwn(variant, 'const') ? String(variant.const) : variantNames.get(variant.type)
  const hasName = ['title', 'enum', '$ref'].some((keyword) => Object.hasOwn(variant, keyword))
  if (name !== undefined && !hasName) variant.title = name
}

/**
 * The library sets fields of type null to null, and reports that as a change by the person unless
 * null is the default.
 */
function addNullDefaults(schema: unknown): void {
  if (!isObject(schema)) return
  for (const { keyword, schema: inner } of subschemasOf(schema)) {
    if (keyword === 'properties' && isObject(inner) && inner.type === 'null')
      (inner as MutableObject).default = null
    addNullDefaults(inner)
  }
}

function labelValues(schema: MutableObject, hints: MutableObject | undefined): void {
  const labels = own(schema, 'enumNames')
  const values = labeledValues(schema)
  delete schema.enumNames
  if (!Array.isArray(labels) || !Array.isArray(values) || labels.length !== values.length) return
  if (hints) {
    if (!labelsInHints(hints).some(Boolean)) hints['ui:enumNames'] = labels.map(String)
  } else if (!Object.hasOwn(schema, 'oneOf')) {
    schema.oneOf = values.map((value, index) => ({ const: value, title: String(labels[index]) }))
    delete schema.enum
  }
}

/** Labels from the hints also win where values become `oneOf`, which takes labels in another format. */
function preserveSenderLabels(
  graph: SchemaGraph,
  hints: MutableObject,
  addressable: ReadonlySet<unknown>,
): void {
  const visit = (at: MutableObject, fields: Fields): void => {
    const labels = labelsInHints(at).find((sent) => sent !== undefined)
    const isRewritten = fields.schemas.some(
      ({ schema }) =>
        !addressable.has(schema) &&
        Array.isArray(labeledValues(schema)) &&
        Object.hasOwn(schema, 'enumNames'),
    )
    if (isRewritten && Array.isArray(labels)) at.oneOf = labels.map((label) => ({ 'ui:title': label }))
    for (const key of Object.keys(at)) {
      const starts = fields.byName.get(key) ?? (key === 'items' ? fields.items : undefined)
      if (starts && isObject(at[key])) visit(at[key] as MutableObject, fieldsAt(graph, starts))
    }
  }
  visit(hints, fieldsAt(graph, [graph.root]))
}
