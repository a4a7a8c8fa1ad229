import { pathTo, type Violation, Violations } from '../violation.ts'
import { type Fields, fieldsAt } from './fields.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { Parts } from './parts.ts'
import { widgetProblem } from './widgets.ts'

// Only these reach the renderer. react-jsonschema-form also takes names of components, styles and templates from its
// hints (`"ui:FieldTemplate": "iframe"` renders one), which are not a sender's to choose.
const HINTS: ReadonlySet<string> = new Set(
  (
    'widget placeholder title description help order options enumNames enumOrder enumDisabled autofocus autocomplete ' +
    'emptyValue disabled readonly label inline rows addable removable orderable copyable compare prompt prefill ' +
    'hideNowButton hideClearButton yearsRange'
  ).split(' '),
)
const TEXT_HINTS: ReadonlySet<string> = new Set(['placeholder', 'title', 'description', 'help'])
const BRANCHES: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

/** The hints of a form as the renderer may have them, and what was wrong with the rest. The depth was checked before. */
export function tidyHints(
  parts: Parts,
  ui: unknown,
  path: string,
): { ui: JsonObject; warnings: Violation[] } {
  const work = { parts, warnings: new Violations() }
  const tidied = tidy(work, ui, fieldsAt(parts, [parts.root]), path)
  return { ui: tidied, warnings: work.warnings.list }
}

type Work = { parts: Parts; warnings: Violations }

function tidy(work: Work, hints: unknown, fields: Fields, path: string): JsonObject {
  const kept: Record<string, unknown> = {}
  if (!isObject(hints)) {
    work.warnings.add(path, 'Hints must be an object, so this is left out.')
    return kept
  }
  const keys = Object.keys(hints)
  work.parts.budget.spend(1 + keys.length)
  for (const key of keys) {
    const at = pathTo(path, key)
    const value = hints[key]
    if (key.startsWith('ui:')) {
      const tidied = tidyHint(work, key.slice('ui:'.length), value, fields, at)
      if (tidied !== undefined) kept[key] = tidied
    } else if (fields.names.has(key)) {
      kept[key] = tidy(work, value, fieldsAt(work.parts, fields.names.get(key) ?? []), at)
    } else if (key === 'items' && fields.items.length > 0) {
      kept[key] = tidy(work, value, fieldsAt(work.parts, fields.items), at)
    } else if (key === 'additionalProperties' && fields.others.length > 0) {
      kept[key] = tidy(work, value, fieldsAt(work.parts, fields.others), at)
    } else if (BRANCHES.has(key) && Array.isArray(value)) {
      kept[key] = value.map((branch, index) => tidy(work, branch, fields, pathTo(at, index)))
    } else {
      work.warnings.add(at, 'There is no such field, so this hint is left out.')
    }
  }
  return kept
}

function tidyHint(work: Work, name: string, value: unknown, fields: Fields, at: string): unknown {
  const leaveOut = (message: string) => void work.warnings.add(at, message)
  if (!HINTS.has(name)) return leaveOut('This hint is not known, so it is left out.')
  if (name === 'widget') {
    const problem = widgetProblem(value, typesOf(work, fields))
    return problem === undefined ? value : leaveOut(problem)
  }
  if (TEXT_HINTS.has(name) && typeof value !== 'string') return leaveOut('Must be text, so it is left out.')
  if (name === 'order') return tidyOrder(value)
  if (name === 'enumNames' && Array.isArray(value)) {
    const count = enumLength(work, fields)
    if (count === undefined || count === value.length) return value.map(String)
    return leaveOut(
      `Holds ${value.length} names for ${count} enum values, so the values themselves are shown.`,
    )
  }
  if (name !== 'options') return value
  if (!isObject(value)) return leaveOut('Must be an object, so it is left out.')
  const kept: Record<string, unknown> = {}
  work.parts.budget.spend(Object.keys(value).length)
  for (const option of Object.keys(value)) {
    const tidied = tidyHint(work, option, value[option], fields, pathTo(at, option))
    if (tidied !== undefined) kept[option] = tidied
  }
  return kept
}

/** The renderer refuses an order that leaves a field out, unless a `*` stands for the rest. */
function tidyOrder(order: unknown): unknown {
  const names = Array.isArray(order) ? order.filter((name) => typeof name === 'string') : []
  return [...new Set([...names, '*'])]
}

/** The types a field surely has: where alternatives differ, nothing is sure. */
function typesOf({ parts }: Work, fields: Fields): string[] {
  parts.budget.spend(fields.schemas.length / 8)
  const types = new Set<string>()
  for (const { schema, negated } of fields.schemas) {
    if (negated) continue
    const type = own(schema, 'type')
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === 'string') types.add(name)
  }
  types.delete('null')
  return types.size === 1 ? [...types] : []
}

function enumLength({ parts }: Work, fields: Fields): number | undefined {
  parts.budget.spend(fields.schemas.length / 8)
  for (const { schema, negated } of fields.schemas) {
    const values = own(schema, 'enum')
    if (!negated && Array.isArray(values)) return values.length
  }
  return undefined
}
