import { Budget, TooComplex } from './budget.ts'
import { type Fields, fieldsAt } from './fields.ts'
import { guardSteps } from './form-limits.ts'
import { isObject, type JsonObject, own } from './json.ts'
import { Parts } from './parts.ts'
import { subschemasOf } from './subschemas.ts'
import { tidyHints } from './tidy-hints.ts'

type Draft = Record<string, unknown>

/**
 * The copy of a form that react-jsonschema-form gets. It no longer knows `enumNames` and throws on unknown widgets;
 * answers are still checked against the form as it was sent.
 */
export function renderCopy(schema: unknown, ui: unknown): { schema: JsonObject; ui: JsonObject } {
  const schemaCopy = copyOf(schema)
  const uiCopy = hintsFor(schema, ui)
  lift(schemaCopy, uiCopy)
  return { schema: schemaCopy, ui: uiCopy }
}

/** A form too complex for the guard, kept from before it was that strict, is shown without hints. */
function hintsFor(schema: unknown, ui: unknown): Draft {
  const parts = new Parts(schema, new Budget(2 * guardSteps))
  try {
    const hints = copyOf(tidyHints(parts, ui ?? {}, '').ui)
    const onPath = new Set<unknown>()
    collectPathSchemas(schema, onPath)
    keepOwnLabels(parts, hints, onPath)
    return hints
  } catch (problem) {
    if (problem instanceof TooComplex) return {}
    throw problem
  }
}

/** A tree in which no two places share an object, so that a change to one is no change to another. */
function copyOf(value: unknown): Draft {
  return JSON.parse(JSON.stringify(value))
}

/** The name under which the hints of a subschema stand, where they have a place of their own. */
function hintName(keyword: string, steps: readonly (string | number)[]): string | undefined {
  if (keyword === 'items' && steps.length === 1) return 'items'
  const name = String(steps[1])
  return keyword === 'properties' && !name.startsWith('ui:') ? name : undefined
}

function collectPathSchemas(schema: unknown, found: Set<unknown>): void {
  if (!isObject(schema)) return
  found.add(schema)
  for (const { keyword, steps, schema: inner } of subschemasOf(schema)) {
    if (hintName(keyword, steps) !== undefined) collectPathSchemas(inner, found)
  }
}

/** Moves `enumNames` into the hints, or, where the hints have no place for them, into `oneOf` with const and title. */
function lift(schema: unknown, hints: Draft | undefined): void {
  if (!isObject(schema)) return
  for (const { keyword, steps, schema: inner } of subschemasOf(schema)) {
    const name = hints && hintName(keyword, steps)
    if (!hints || name === undefined) {
      lift(inner, undefined)
      continue
    }
    const existing = own(hints, name)
    const innerHints: Draft = isObject(existing) ? (existing as Draft) : {}
    lift(inner, innerHints)
    if (Object.keys(innerHints).length > 0) hints[name] = innerHints
  }
  labelValues(schema as Draft, hints)
}

function labelValues(schema: Draft, hints: Draft | undefined): void {
  const labels = own(schema, 'enumNames')
  const values = own(schema, 'enum') ?? (schema.type === 'boolean' ? [true, false] : undefined)
  delete schema.enumNames
  if (!Array.isArray(labels) || !Array.isArray(values) || labels.length !== values.length) return
  if (hints) {
    if (!ownLabels(hints)) hints['ui:enumNames'] = labels.map(String)
  } else if (!Object.hasOwn(schema, 'oneOf')) {
    schema.oneOf = values.map((value, index) => ({ const: value, title: String(labels[index]) }))
    delete schema.enum
  }
}

function ownLabels(hints: JsonObject): unknown {
  const options = own(hints, 'ui:options')
  return own(hints, 'ui:enumNames') ?? (isObject(options) ? own(options, 'enumNames') : undefined)
}

/** A sender's own labels win also where the values turn into `oneOf`, whose labels the hints take in another form. */
function keepOwnLabels(parts: Parts, hints: Draft, onPath: ReadonlySet<unknown>): void {
  const visit = (at: Draft, fields: Fields): void => {
    const labels = ownLabels(at)
    const isRewritten = fields.schemas.some(
      ({ schema }) =>
        !onPath.has(schema) && Array.isArray(own(schema, 'enum')) && Object.hasOwn(schema, 'enumNames'),
    )
    if (isRewritten && Array.isArray(labels)) at.oneOf = labels.map((label) => ({ 'ui:title': label }))
    for (const key of Object.keys(at)) {
      const starts = fields.names.get(key) ?? (key === 'items' ? fields.items : undefined)
      if (starts && isObject(at[key])) visit(at[key] as Draft, fieldsAt(parts, starts))
    }
  }
  visit(hints, fieldsAt(parts, [parts.root]))
}
