import { humanizeName } from '../../contract/forms/humanize-name.ts'
import { isObject, type JsonObject, own } from '../../contract/forms/json.ts'

/** Display hints that a sender may give for a field. */
export type Hints = {
  title?: string
  description?: string
  widget?: string
  /** Hints for list elements: keyed by field name, or for the elements themselves. */
  items?: JsonObject
  /** Options of the widget: the language of code, the currency of a number. */
  options?: JsonObject
  /** All hints as sent: a name without "ui:" is that of a field, with its hints. */
  fields?: JsonObject
}

/** Hints are untrusted: values of the wrong type are ignored. */
export function hintsOf(ui: unknown, field: string): Hints {
  return readHints(isObject(ui) ? own(ui, field) : undefined)
}

export function readHints(sent: unknown): Hints {
  if (!isObject(sent)) return {}
  const text = (name: string) => {
    const value = own(sent, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const items = own(sent, 'items')
  const options = own(sent, 'ui:options')
  const title = text('ui:title')
  const description = text('ui:description')
  const widget = text('ui:widget')
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(widget && { widget }),
    ...(isObject(items) && { items }),
    ...(isObject(options) && { options }),
    ...(Object.keys(sent).some((name) => !name.startsWith('ui:')) && { fields: sent }),
  }
}

export function textOption({ options }: Hints, name: string): string | undefined {
  const value = options && own(options, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOption({ options }: Hints, name: string): number | undefined {
  const value = options && own(options, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The sender's label, or the field name as words. */
export function titleOf(field: string, hints: Hints = {}): string {
  return hints.title ?? humanizeName(field)
}
