import { isObject, own } from '../../../../contract/forms/json.ts'
import type { Context } from '../../../../contract/task-fields.ts'
import { isPlain, slackLimits } from './text.ts'

const maxFields = 30
const maxItems = 30
// The rest of a label or an item after a line break would look like another field.
const lineBreak = /[\n\r\u2028\u2029]/
/** Widgets that show nothing but the value, which plain text shows as well. */
const plainWidgets = ['text', 'number', 'badge', 'date', 'url', 'link', 'keyvalue']

/**
 * The context as one text per field. undefined: something in it cannot be shown as plain text
 * without losing anything, such as a picture, a comparison, Markdown, nested objects, or a hint
 * that changes what people read.
 */
export function contextAsText(context: Context | undefined): string[] | undefined {
  if (!context) return []
  const { data, ui = {} } = context
  if (Object.keys(ui).some((key) => key.startsWith('ui:'))) return undefined
  const names = Object.keys(data)
  if (names.length > maxFields) return undefined
  const texts: string[] = []
  for (const name of names) {
    const text = fieldAsText(name, data[name], own(ui, name))
    if (text === undefined || text.length > slackLimits.text || !isPlain(text)) return undefined
    texts.push(text)
  }
  return texts
}

function fieldAsText(name: string, value: unknown, hints: unknown): string | undefined {
  if (hints !== undefined && !isObject(hints)) return undefined
  const { 'ui:title': title, 'ui:widget': widget, ...others } = hints ?? {}
  if (Object.keys(others).length > 0) return undefined
  if (widget !== undefined && !plainWidgets.includes(String(widget))) return undefined
  // A Unix timestamp, which only Handrail shows as a date.
  if (widget === 'date' && typeof value === 'number') return undefined
  const text = valueAsText(value)
  if (text === undefined) return undefined
  const label = typeof title === 'string' ? title : name
  if (lineBreak.test(label)) return undefined
  return text.includes('\n') || (typeof value === 'object' && value !== null)
    ? `${label}:\n${text}`
    : `${label}: ${text}`
}

function valueAsText(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const items = value.map(scalarAsText)
    if (items.length > maxItems || items.some((item) => item === undefined || lineBreak.test(item)))
      return undefined
    return items.length === 0 ? '(empty)' : items.map((item) => `• ${item}`).join('\n')
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => [key, scalarAsText(inner)] as const)
    const isOneLine = (text: string | undefined) => text !== undefined && !lineBreak.test(text)
    if (entries.length > maxItems || !entries.every(([key, text]) => isOneLine(key) && isOneLine(text)))
      return undefined
    return entries.length === 0 ? '(empty)' : entries.map(([key, text]) => `• ${key}: ${text}`).join('\n')
  }
  return scalarAsText(value)
}

/** undefined: the value is an object, an array, or a data URL, which is a picture or a file. */
function scalarAsText(value: unknown): string | undefined {
  if (value === null) return '–'
  if (typeof value === 'string') return value.startsWith('data:') ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
