import type { Action } from '../../../contract/action.ts'
import { Budget, TooComplex } from '../../../contract/forms/budget.ts'
import { type Fields, fieldsAt } from '../../../contract/forms/fields.ts'
import { formSteps } from '../../../contract/forms/form-limits.ts'
import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { optionsOf } from '../../../contract/forms/options-of.ts'
import { SchemaGraph } from '../../../contract/forms/schema-graph.ts'

type Shown = { value: unknown; ui: JsonObject }

/** An answer for display: field titles, labels of chosen values, and the email widget for emails. */
export function presentAnswer(action: Action | undefined, data: JsonObject): Shown {
  const find = fieldFinder(action?.schema)
  try {
    return shownAt(data, find([action?.schema]), action?.ui ?? {}, find)
  } catch (problem) {
    // Show the raw answer rather than nothing.
    if (problem instanceof TooComplex) return { value: data, ui: {} }
    throw problem
  }
}

type Find = (starts: readonly unknown[]) => Fields

/** Caches the fields per schema location, because list items share one. */
function fieldFinder(form: unknown): Find {
  const parts = new SchemaGraph(form, new Budget(2 * formSteps))
  const known = new Map<readonly unknown[], Fields>()
  return (starts) => {
    const fields = known.get(starts) ?? fieldsAt(parts, starts)
    known.set(starts, fields)
    return fields
  }
}

function shownAt(value: unknown, fields: Fields, hints: JsonObject, find: Find): Shown {
  if (Array.isArray(value)) return shownList(value, fields, hints, find)
  if (!isObject(value)) return { value: labelOf(value, fields, hints), ui: {} }
  const shown = Object.entries(value).map(([name, inner]) => {
    const below = find(fields.names.get(name) ?? fields.others)
    const hintsBelow = objectAt(hints, name)
    const { value, ui } = shownAt(inner, below, hintsBelow, find)
    return { name, value, ui: { ...ui, ...titleOf(below, hintsBelow) } }
  })
  // fromEntries handles names such as __proto__ safely.
  return {
    value: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
    ui: {
      ...Object.fromEntries(shown.map(({ name, ui }) => [name, ui])),
      ...(isMail(value) && { 'ui:widget': 'email' }),
    },
  }
}

function shownList(list: unknown[], fields: Fields, hints: JsonObject, find: Find): Shown {
  const below = find(fields.items)
  const shown = list.map((item) => shownAt(item, below, objectAt(hints, 'items'), find))
  const ui = list.some(isObject) ? { items: Object.assign({}, ...shown.map((item) => item.ui)) } : {}
  return { value: shown.map((item) => item.value), ui }
}

/** The label of a chosen value, or the value itself. */
function labelOf(value: unknown, { schemas }: Fields, hints: JsonObject): unknown {
  for (const { schema, negated } of schemas) {
    const option = negated ? undefined : optionsOf(schema, hints)?.find((one) => one.value === value)
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

function objectAt(hints: JsonObject, name: string): JsonObject {
  const inner = own(hints, name)
  return isObject(inner) ? inner : {}
}
