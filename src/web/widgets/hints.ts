import { isObject, own } from '../../contract/forms/json.ts'

/** What a sender may say about a field: `ui:title`, `ui:description`, `ui:widget`, and `items` for list elements. */
export type Hints = {
  title?: string
  description?: string
  widget?: string
  items?: Record<string, unknown>
}

/** Hints are as untrusted as data: whatever is not of the right kind is not there. */
export function hintsOf(ui: unknown, field: string): Hints {
  const sent = isObject(ui) ? own(ui, field) : undefined
  if (!isObject(sent)) return {}
  const text = (name: string) => {
    const value = own(sent, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const items = own(sent, 'items')
  const title = text('ui:title')
  const description = text('ui:description')
  const widget = text('ui:widget')
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(widget && { widget }),
    ...(isObject(items) && { items: items as Record<string, unknown> }),
  }
}

/** The sender's label, else the name of the field in words: `mergedChanges` is "Merged changes". */
export function titleOf(field: string, hints: Hints = {}): string {
  return hints.title ?? inWords(field)
}

export function inWords(name: string): string {
  // Names that are not plain identifiers are shown as they are.
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,60}$/.test(name)) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
  const lower = words.replace(/\b[A-Z][a-z]/g, (start) => start.toLowerCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}
