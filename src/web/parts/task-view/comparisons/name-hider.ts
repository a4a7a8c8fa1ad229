import { nameOf } from '../../../../contract/compare.ts'
import { isObject, type JsonObject, own } from '../../../../contract/forms/json.ts'
import { type ComparisonLayout, hiddenName, sourcesOf } from '../../../widgets/comparisons.ts'

export type Hide = (text: string) => string

// Shorter names are hidden only if they are the whole text: "A" must not match inside sentences.
const minPartialMatchLength = 3
// Longer names too, because they would make the search slow.
const maxPartialMatchLength = 1_000

/**
 * Returns a function that replaces names and sources of items in blind comparisons with "Item 2"
 * and so on.
 */
export function createNameHider(
  compared: ReadonlyMap<string, JsonObject[]>,
  layouts: ReadonlyMap<string, ComparisonLayout>,
): Hide {
  const labels = new Map<string, string>()
  for (const [field, items] of compared) {
    const layout = layouts.get(field)
    if (!layout?.isBlind) continue
    layout.order.forEach((item, position) => {
      for (const name of [nameOf(items[item]!), ...sourcesOf(items[item]!).map(({ text }) => text)]) {
        const key = name?.trim().toLowerCase()
        if (!key) continue
        // A name shared by two items cannot be replaced by one label.
        const isShared = labels.has(key) && labels.get(key) !== hiddenName(position)
        labels.set(key, isShared ? 'a hidden name' : hiddenName(position))
      }
    })
  }
  if (labels.size === 0) return (text) => text
  const long = [...labels.keys()].filter(
    ({ length }) => length >= minPartialMatchLength && length <= maxPartialMatchLength,
  )
  const patterns = long.sort((a, b) => b.length - a.length).map(escaped)
  const anywhere =
    patterns.length > 0 && new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return (text) => {
    const whole = labels.get(text.trim().toLowerCase())
    if (whole) return whole
    return anywhere
      ? text.replace(anywhere, (name) => labels.get(name.toLowerCase()) ?? 'a hidden name')
      : text
  }
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Replaces names in all strings and keys. */
export function hideEverywhere(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((element) => hideEverywhere(element, hide))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [hide(name), hideEverywhere(inner, hide)]),
  )
}

// Hints whose values are not shown: names of widgets, fields or languages, or answer values.
const technicalHints: ReadonlySet<string> = new Set([
  'widget',
  'compare',
  'prompt',
  'prefill',
  'language',
  'order',
  'emptyValue',
  'enumDisabled',
  'enumOrder',
])

/** Replaces names in the texts of hints. */
export function hideInHints(hints: JsonObject, hide: Hide): JsonObject {
  return Object.fromEntries(
    Object.entries(hints).map(([name, value]) => {
      // An object contains the hints of a field, which may have the name of a technical hint.
      if (isObject(value)) return [name, hideInHints(value, hide)]
      return [name, technicalHints.has(name.replace(/^ui:/, '')) ? value : hideEverywhere(value, hide)]
    }),
  )
}

const textKeywords: ReadonlySet<string> = new Set(['title', 'description'])
const valueKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])

/** Replaces names in everything a form shows, but not in its values, which are the answer. */
export function hideInSchema(schema: unknown, hide: Hide): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => hideInSchema(inner, hide))
  if (!isObject(schema)) return schema
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (textKeywords.has(name) && typeof value === 'string') result[name] = hide(value)
    else if (name === 'enumNames') result[name] = hideEverywhere(value, hide)
    else if (name === 'properties' && isObject(value)) result[name] = hideInProperties(value, hide)
    else result[name] = valueKeywords.has(name) ? value : hideInSchema(value, hide)
  }
  const offered = own(schema, 'enum')
  if (Array.isArray(offered) && !Array.isArray(result.enumNames)) result.enumNames = labelled(offered, hide)
  if (typeof schema.const === 'string' && result.title === undefined && hide(schema.const) !== schema.const)
    result.title = hide(schema.const)
  return result
}

function labelled(offered: unknown[], hide: Hide): string[] | undefined {
  const labels = offered.map((value) => hide(String(value)))
  return labels.every((label, n) => label === String(offered[n])) ? undefined : labels
}

/** A property without a title is labelled with its name, which may need hiding. */
function hideInProperties(properties: JsonObject, hide: Hide): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const hidden = hideInSchema(schema, hide)
      const isShownByName = isObject(hidden) && hidden.title === undefined && hide(name) !== name
      return [name, isShownByName ? { ...hidden, title: hide(name) } : hidden]
    }),
  )
}
