import { humanizeName } from './humanize-name.ts'
import { type JsonObject, own } from './json.ts'

/** The label of a form field: the sender's, or its name as words. */
export function fieldLabel(name: string, property: JsonObject, hints: JsonObject): string {
  const sent = [own(hints, 'ui:title'), own(property, 'title')]
  return sent.find((text): text is string => typeof text === 'string' && text !== '') ?? humanizeName(name)
}
