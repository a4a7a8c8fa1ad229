import type { Action } from '../../../../contract/action.ts'
import { Budget, TooComplex } from '../../../../contract/forms/budget.ts'
import { type Fields, fieldsAt } from '../../../../contract/forms/fields.ts'
import { displayWorkUnits } from '../../../../contract/forms/form-limits.ts'
import { isObject, type JsonObject, objectAt, own } from '../../../../contract/forms/json.ts'
import { optionsOf } from '../../../../contract/forms/options-of.ts'
import { SchemaGraph } from '../../../../contract/forms/schema-graph.ts'

type DisplayedValue = { value: unknown; ui: JsonObject }

/**
 * An answer as `Value` shows it: with labels instead of chosen values, and in `ui` the titles of
 * fields and the email widget for emails.
 */
export function answerForDisplay(action: Action | undefined, data: JsonObject): DisplayedValue {
  const find = fieldFinder(action?.schema)
  try {
    return valueForDisplay(data, find([action?.schema]), action?.ui ?? {}, find)
  } catch (problem) {
    // Show the raw answer rather than nothing.
    if (problem instanceof TooComplex) return { value: data, ui: {} }
    throw problem
  }
}

type Find = (starts: readonly unknown[]) => Fields

/** Caches the fields per schema location, because all items of a list have the same one. */
function fieldFinder(form: unknown): Find {
  const graph = new SchemaGraph(form, new Budget(displayWorkUnits))
  const cache = new Map<readonly unknown[], Fields>()
  return (starts) => {
    const fields = cache.get(starts) ?? fieldsAt(graph, starts)
    cache.set(starts, fields)
    return fields
  }
}

function valueForDisplay(value: unknown, fields: Fields, hints: JsonObject, find: Find): DisplayedValue {
  if (Array.isArray(value)) return listForDisplay(value, fields, hints, find)
  if (!isObject(value)) return { value: labelOf(value, fields, hints), ui: {} }
  const displayed = Object.entries(value).map(([name, inner]) => {
    const innerFields = find(fields.byName.get(name) ?? fields.additional)
    const innerHints = objectAt(hints, name)
    const { value, ui } = valueForDisplay(inner, innerFields, innerHints, find)
    return { name, value, ui: { ...ui, ...titleOf(innerFields, innerHints) } }
  })
  // fromEntries handles names such as __proto__ safely.
  return {
    value: Object.fromEntries(displayed.map(({ name, value }) => [name, value])),
    ui: {
      ...Object.fromEntries(displayed.map(({ name, ui }) => [name, ui])),
      ...(isMail(value) && { 'ui:widget': 'email' }),
    },
  }
}

function listForDisplay(list: unknown[], fields: Fields, hints: JsonObject, find: Find): DisplayedValue {
  const innerFields = find(fields.items)
  const displayed = list.map((item) => valueForDisplay(item, innerFields, objectAt(hints, 'items'), find))
  const hintsOfAll = Object.fromEntries(displayed.flatMap(({ ui }) => Object.entries(ui)))
  // The items share their hints, and the widget of emails can only show emails.
  if (!list.every((item) => isObject(item) && isMail(item))) delete hintsOfAll['ui:widget']
  const ui = list.some(isObject) ? { items: hintsOfAll } : {}
  return { value: displayed.map((item) => item.value), ui }
}

/** The label of a chosen value, or the value itself. */
function labelOf(value: unknown, { schemas }: Fields, hints: JsonObject): unknown {
  for (const { schema, negated } of schemas) {
    const option = negated
      ? undefined
      : optionsOf(schema, hints)?.find((candidate) => candidate.value === value)
    if (option) return option.label
  }
  return value
}

function titleOf({ schemas }: Fields, hints: JsonObject): JsonObject {
  // The title of a constant is the label of that choice.
  const named = schemas.filter(({ schema }) => !Object.hasOwn(schema, 'const'))
  const titles = [own(hints, 'ui:title'), ...named.map(({ schema }) => own(schema, 'title'))]
  const title = titles.find((text) => typeof text === 'string' && text !== '')
  return title === undefined ? {} : { 'ui:title': title }
}

function isMail(value: JsonObject): boolean {
  const has = (name: string) => typeof own(value, name) === 'string'
  return ['body', 'text', 'html'].some(has) && ['subject', 'to', 'from'].some(has)
}
