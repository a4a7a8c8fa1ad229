import { Budget, TooComplex } from './forms/budget.ts'
import { type Fields, fieldsAt } from './forms/fields.ts'
import { formWorkUnits } from './forms/form-limits.ts'
import { equalJson, isObject, type JsonObject, objectAt, own } from './forms/json.ts'
import { SchemaGraph } from './forms/schema-graph.ts'
import type { Presented } from './task-answer.ts'
import { pathTo, type Violation } from './violation.ts'

/** The property of an action's form by which an answer names the winner of one compare field. */
export type WinnerProperty = {
  /** The compare field of the context. */
  field: string
  /** The property of the answer whose value names the winner. */
  property: string
  /** The value that selects each item, in the items' order; undefined for an item that cannot be selected. */
  values: unknown[]
  /** The context field with the prompt that the items answer. */
  prompt?: string
}

type ContextInput = { data: JsonObject; ui?: JsonObject | undefined }
type Form = { schema?: JsonObject | undefined; ui?: JsonObject | undefined }
type Choice = { property: string; values: unknown[]; options: JsonObject }

/** The items of every field with the widget `compare`, in the order of the hints. */
export function comparedItems(context: ContextInput | undefined): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>()
  const { data = {}, ui } = context ?? {}
  for (const field of Object.keys(ui ?? {})) {
    const items = own(data, field)
    if (own(objectAt(ui, field), 'ui:widget') !== 'compare' || !Array.isArray(items)) continue
    if (items.length > 0 && items.every(isObject)) found.set(field, items)
  }
  return found
}

/** `presented` may only name compare fields of this task, each with a permutation of its items. */
export function checkPresented(context: ContextInput | undefined, presented: Presented): Violation[] {
  const compared = comparedItems(context)
  return Object.entries(presented).flatMap(([field, { order }]) => {
    const items = compared.get(field)
    if (!items)
      return [{ path: pathTo('presented', field), message: 'This task has no compare field with this name.' }]
    if (isPermutation(order, items.length)) return []
    const message = `Must contain each index from 0 to ${items.length - 1} exactly once.`
    return [{ path: `${pathTo('presented', field)}.order`, message }]
  })
}

/** Whether `order` contains each index of `count` items once. */
export function isPermutation(order: number[], count: number): boolean {
  return order.length === count && new Set(order).size === count && order.every((index) => index < count)
}

/**
 * Which property of an action's form decides which compare field: the first one that names the
 * field in `ui:options.compare`, otherwise the one that `inferChoice` finds.
 */
export function winnerPropertiesOf(context: ContextInput | undefined, action: Form): WinnerProperty[] {
  const compared = comparedItems(context)
  if (compared.size === 0 || !isObject(action.schema)) return []
  const choices = choicesOf(action)
  return [...compared].flatMap(([field, items]) => {
    const choice =
      choices.find(({ options }) => own(options, 'compare') === field) ?? inferChoice(choices, items)
    if (!choice) return []
    const prompt = own(choice.options, 'prompt')
    return [
      {
        field,
        property: choice.property,
        values: valuesOf(choice, items),
        ...(typeof prompt === 'string' && { prompt }),
      },
    ]
  })
}

/** The index of the chosen item, `tie` for any other value, undefined if nothing was chosen. */
export function winnerOf(
  { property, values }: WinnerProperty,
  answer: JsonObject,
): number | 'tie' | undefined {
  const value = own(answer, property)
  if (value === undefined) return undefined
  const item = values.findIndex((offered) => equalJson(offered, value))
  return item < 0 ? 'tie' : item
}

/**
 * The choice that names the winner, by the first of these rules that any choice matches: its values
 * are exactly the names of the items; its values contain these names, and others such as a tie; it
 * has as many values as there are items. Undefined if several choices match that rule.
 */
function inferChoice(choices: Choice[], items: JsonObject[]): Choice | undefined {
  // A choice that names a field decides only that field.
  const unassigned = choices.filter(({ options }) => own(options, 'compare') === undefined)
  const names = items.map(nameOf)
  const named = unassigned.filter(({ values }) => {
    const offered = new Set(values)
    return names.every((name) => name !== undefined && offered.has(name))
  })
  const exact = named.filter(({ values }) => values.length === names.length)
  const counted = unassigned.filter(({ values }) => values.length === items.length)
  const matching = [exact, named, counted].find((some) => some.length > 0)
  return matching?.length === 1 ? matching[0] : undefined
}

/** Matched by name if any value is the name of an item, otherwise by order. Other values mean a tie. */
function valuesOf({ values }: Choice, items: JsonObject[]): unknown[] {
  const names = items.map(nameOf)
  const known = new Set<unknown>(names)
  const isByName = values.some((value) => typeof value === 'string' && known.has(value))
  if (!isByName) return items.map((_, n) => values[n])
  const offered = new Set(values)
  const taken = new Set<string>()
  return names.map((name) => {
    if (name === undefined || taken.has(name) || !offered.has(name)) return undefined
    taken.add(name)
    return name
  })
}

export function nameOf(item: JsonObject): string | undefined {
  const name = own(item, 'name')
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The properties of a form that offer one of several values. */
function choicesOf({ schema, ui }: Form): Choice[] {
  const graph = new SchemaGraph(schema, new Budget(formWorkUnits))
  try {
    return [...fieldsAt(graph, [schema]).byName].flatMap(([property, schemas]) => {
      const values = offeredValues(fieldsAt(graph, schemas))
      const hints = objectAt(ui, property)
      return values ? [{ property, values, options: objectAt(hints, 'ui:options') }] : []
    })
  } catch (problem) {
    // The form was stored before forms had a budget.
    if (problem instanceof TooComplex) return []
    throw problem
  }
}

function offeredValues({ schemas }: Fields): unknown[] | undefined {
  for (const { schema, negated } of schemas) {
    const values = own(schema, 'enum')
    if (!negated && Array.isArray(values)) return values
  }
  for (const { schema, negated } of schemas) {
    const variants = own(schema, 'oneOf')
    if (negated || !Array.isArray(variants) || variants.length === 0) continue
    if (variants.every((variant) => isObject(variant) && Object.hasOwn(variant, 'const')))
      return variants.map((variant) => variant.const)
  }
  return undefined
}
