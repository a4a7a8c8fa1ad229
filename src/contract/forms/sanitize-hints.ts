import { pathTo, type Violation, Violations } from '../violation.ts'
import { type Fields, fieldsAt } from './fields.ts'
import { prefixWarning } from './hint-prefix.ts'
import { isObject, isScalarValue, type JsonObject, own } from './json.ts'
import type { SchemaGraph } from './schema-graph.ts'
import { widgetProblem } from './widgets.ts'

// Only these reach the renderer. react-jsonschema-form also accepts components, styles and
// templates as hints (`"ui:FieldTemplate": "iframe"` renders one), which senders must not choose.
const allowedHints: ReadonlySet<string> = new Set(
  (
    'widget placeholder title description help order options enumNames enumOrder enumDisabled autofocus autocomplete ' +
    'emptyValue disabled readonly label inline rows addable removable orderable copyable compare prompt prefill ' +
    'hideNowButton hideClearButton yearsRange'
  ).split(' '),
)
const isText = (value: unknown) => typeof value === 'string'
const isListOfScalars = (value: unknown) => Array.isArray(value) && value.every(isScalarValue)
const isMapOfText = (value: unknown) => isObject(value) && Object.values(value).every(isText)
// The renderer throws on these hints if they have another type.
const hintTypes: ReadonlyMap<string, { name: string; includes(value: unknown): boolean }> = new Map([
  ...['placeholder', 'title', 'description', 'help'].map(
    (hint) => [hint, { name: 'text', includes: isText }] as const,
  ),
  ['enumDisabled', { name: 'a list', includes: Array.isArray }],
  ['enumOrder', { name: 'a list of text, numbers or booleans', includes: isListOfScalars }],
  [
    'enumNames',
    {
      name: 'a list of names, or an object with a name per value',
      includes: (value) => isListOfScalars(value) || isMapOfText(value),
    },
  ],
])
const branchKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

/** The hints that are safe for the renderer, with warnings about the rest. The depth was checked before. */
export function sanitizeHints(
  graph: SchemaGraph,
  ui: unknown,
  path: string,
): { ui: JsonObject; warnings: Violation[] } {
  const context = { graph, warnings: new Violations() }
  const sanitized = sanitize(context, ui, fieldsAt(graph, [graph.root]), path)
  return { ui: sanitized, warnings: context.warnings.list }
}

type SanitizeContext = { graph: SchemaGraph; warnings: Violations }

function sanitize(context: SanitizeContext, hints: unknown, fields: Fields, path: string): JsonObject {
  const result: Record<string, unknown> = {}
  if (!isObject(hints)) {
    context.warnings.add(path, 'Hints must be an object, so this is ignored.')
    return result
  }
  const keys = Object.keys(hints)
  context.graph.budget.spend(1 + keys.length)
  for (const key of keys) {
    const at = pathTo(path, key)
    const value = hints[key]
    if (key.startsWith('ui:')) {
      const sanitized = sanitizeHint(context, key.slice('ui:'.length), value, fields, at)
      if (sanitized !== undefined) result[key] = sanitized
    } else if (fields.byName.has(key)) {
      result[key] = sanitize(context, value, fieldsAt(context.graph, fields.byName.get(key) ?? []), at)
    } else if (key === 'items' && fields.items.length > 0) {
      result[key] = sanitize(context, value, fieldsAt(context.graph, fields.items), at)
    } else if (key === 'additionalProperties' && fields.additional.length > 0) {
      result[key] = sanitize(context, value, fieldsAt(context.graph, fields.additional), at)
    } else if (branchKeywords.has(key) && Array.isArray(value)) {
      result[key] = value.map((branch, index) => sanitize(context, branch, fields, pathTo(at, index)))
    } else {
      warnAboutUnknownName(context, key, value, at)
    }
  }
  return result
}

/** Also checks the hints of a missing field, so that all mistakes are reported at once. */
function warnAboutUnknownName(context: SanitizeContext, name: string, value: unknown, at: string): void {
  const unprefixed = prefixWarning(name, value, allowedHints)
  context.warnings.add(at, unprefixed ?? 'There is no such field, so this hint is ignored.')
  if (unprefixed !== undefined || !isObject(value)) return
  const hints = Object.keys(value).filter((key) => key.startsWith('ui:'))
  context.graph.budget.spend(1 + hints.length)
  const noFields = fieldsAt(context.graph, [])
  for (const key of hints)
    sanitizeHint(context, key.slice('ui:'.length), value[key], noFields, pathTo(at, key))
}

function sanitizeHint(
  context: SanitizeContext,
  name: string,
  value: unknown,
  fields: Fields,
  at: string,
): unknown {
  const ignore = (message: string) => void context.warnings.add(at, message)
  if (!allowedHints.has(name)) return ignore('Unknown hint, so it is ignored.')
  if (name === 'widget') {
    const problem = widgetProblem(value, typeOf(context, fields))
    if (problem !== undefined) return ignore(problem)
    const itemType = value === 'tags' ? typeOf(context, fieldsAt(context.graph, fields.items)) : undefined
    return itemType === undefined || itemType === 'string'
      ? value
      : ignore(`The widget tags cannot show items of the type ${itemType}, so the default is shown.`)
  }
  const type = hintTypes.get(name)
  if (type && !type.includes(value)) return ignore(`Must be ${type.name}, so it is ignored.`)
  if (name === 'order') return sanitizeOrder(value)
  // The renderer drops options that the order omits, unless it contains `*` for the rest.
  if (name === 'enumOrder') return [...new Set([...(value as unknown[]).map(String), '*'])]
  if (name === 'enumNames' && Array.isArray(value)) {
    const count = enumLength(context, fields)
    if (count === undefined || count === value.length) return value.map(String)
    return ignore(enumNamesMismatch(value.length, count))
  }
  if (name !== 'options') return value
  if (!isObject(value)) return ignore('Must be an object, so it is ignored.')
  const result: Record<string, unknown> = {}
  context.graph.budget.spend(Object.keys(value).length)
  for (const option of Object.keys(value)) {
    const sanitized = sanitizeHint(context, option, value[option], fields, pathTo(at, option))
    if (sanitized !== undefined) result[option] = sanitized
  }
  return result
}

export function enumNamesMismatch(names: number, values: number): string {
  return `Contains ${names} names for ${values} enum values, so the values themselves are shown.`
}

/** The renderer throws on an order that omits a field, unless it contains `*` for the rest. */
function sanitizeOrder(order: unknown): unknown {
  const names = Array.isArray(order) ? order.filter((name) => typeof name === 'string') : []
  return [...new Set([...names, '*'])]
}

/** The type of a field besides null; undefined if several are possible or none is declared. */
function typeOf({ graph }: SanitizeContext, fields: Fields): string | undefined {
  graph.budget.spend(fields.schemas.length / 8)
  const types = new Set<string>()
  for (const { schema, negated } of fields.schemas) {
    if (negated) continue
    const type = own(schema, 'type')
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === 'string') types.add(name)
  }
  types.delete('null')
  return types.size === 1 ? [...types][0] : undefined
}

function enumLength({ graph }: SanitizeContext, fields: Fields): number | undefined {
  graph.budget.spend(fields.schemas.length / 8)
  for (const { schema, negated } of fields.schemas) {
    const values = own(schema, 'enum')
    if (!negated && Array.isArray(values)) return values.length
  }
  return undefined
}
