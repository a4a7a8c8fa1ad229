import { type JsonObject, own } from './json.ts'

/** The label of a form field: the sender's, or its name as words. */
export function fieldLabel(name: string, property: JsonObject, hints: JsonObject): string {
  const sent = [own(hints, 'ui:title'), own(property, 'title')]
  return sent.find((text): text is string => typeof text === 'string' && text !== '') ?? humanizeName(name)
}

/** `mergedChanges` is "Merged changes". */
export function humanizeName(name: string): string {
  // Names that are not plain identifiers are shown unchanged.
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,60}$/.test(name)) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
  const lower = words.replace(/\b[A-Z][a-z]/g, (start) => start.toLowerCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}
