import { Budget, TooComplex } from './forms/budget.ts'
import { type Fields, fieldsAt } from './forms/fields.ts'
import { formSteps } from './forms/form-limits.ts'
import { isObject, type JsonObject, own } from './forms/json.ts'
import { SchemaGraph } from './forms/schema-graph.ts'
import type { Presented } from './task.ts'
import { pathTo, type Violation } from './violation.ts'

/** How the answers of one action name the winner of one compare field. */
export type Decision = {
  /** The compare field of the context. */
  field: string
  /** The property of the answer whose value names the winner. */
  property: string
  /** The value that stands for each item, in the items' order; undefined for an item that no value stands for. */
  values: unknown[]
  /** The field of the context that holds what the items are answers to. */
  prompt?: string
}

type Sent = { data: JsonObject; ui?: JsonObject | undefined }
type Form = { schema?: JsonObject | undefined; ui?: JsonObject | undefined }
type Choice = { property: string; values: unknown[]; options: JsonObject }

/** The items of every field that is shown by `compare`, in the order of the context. */
export function comparedItems(context: Sent | undefined): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>()
  const { data = {}, ui } = context ?? {}
  for (const field of Object.keys(ui ?? {})) {
    const items = own(data, field)
    if (own(objectAt(ui, field), 'ui:widget') !== 'compare' || !Array.isArray(items)) continue
    if (items.length > 0 && items.every(isObject)) found.set(field, items)
  }
  return found
}

/** What an answer says it was shown must be of this task: its compare fields, each in an order of its own items. */
export function checkPresented(context: Sent | undefined, presented: Presented): Violation[] {
  const compared = comparedItems(context)
  return Object.entries(presented).flatMap(([field, { order }]) => {
    const items = compared.get(field)
    if (!items)
      return [{ path: pathTo('presented', field), message: 'This task has no compare field of this name.' }]
    const isPermutation = order.length === items.length && new Set(order).size === items.length
    if (isPermutation && order.every((index) => index < items.length)) return []
    const message = `Must contain each index from 0 to ${items.length - 1} once.`
    return [{ path: `${pathTo('presented', field)}.order`, message }]
  })
}

/**
 * Which property of an action's form decides which compare field. A property that names the field with
 * `ui:options.compare` does; else the only choice that has the items' names for values; else the only one that has as
 * many values as there are items, read in order.
 */
export function decisionsOf(context: Sent | undefined, action: Form): Decision[] {
  const compared = comparedItems(context)
  if (compared.size === 0 || !isObject(action.schema)) return []
  const choices = choicesOf(action)
  return [...compared].flatMap(([field, items]) => {
    const choice = choices.find(({ options }) => own(options, 'compare') === field) ?? guess(choices, items)
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

/** The index of the item that an answer chose, `tie` for any other value, undefined when nothing was chosen. */
export function winnerOf({ property, values }: Decision, answer: JsonObject): number | 'tie' | undefined {
  const value = own(answer, property)
  if (value === undefined) return undefined
  const item = values.indexOf(value)
  return item < 0 ? 'tie' : item
}

function guess(choices: Choice[], items: JsonObject[]): Choice | undefined {
  // A choice that names a field decides that one and no other.
  const free = choices.filter(({ options }) => own(options, 'compare') === undefined)
  const names = items.map(nameOf)
  const named = free.filter(({ values }) => {
    const offered = new Set(values)
    return names.every((name) => name !== undefined && offered.has(name))
  })
  const exact = named.filter(({ values }) => values.length === names.length)
  const counted = free.filter(({ values }) => values.length === items.length)
  const fitting = [exact, named, counted].find((some) => some.length > 0)
  return fitting?.length === 1 ? fitting[0] : undefined
}

/** By name where any value is the name of an item, else in order: what is left over in either case is a tie. */
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
  const graph = new SchemaGraph(schema, new Budget(formSteps))
  try {
    return [...fieldsAt(graph, [schema]).names].flatMap(([property, schemas]) => {
      const values = offered(fieldsAt(graph, schemas))
      const hints = objectAt(ui, property)
      return values ? [{ property, values, options: objectAt(hints, 'ui:options') }] : []
    })
  } catch (problem) {
    // Kept from before forms had a budget.
    if (problem instanceof TooComplex) return []
    throw problem
  }
}

function offered({ schemas }: Fields): unknown[] | undefined {
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

function objectAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object && own(object, name)
  return isObject(value) ? value : {}
}
