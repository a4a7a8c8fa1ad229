import { createContext, useContext } from 'react'
import { humanizeName } from '../../../contract/forms/humanize-name.ts'

/** True inside a tuple, whose items have their own schemas and titles. */
export const TupleContext = createContext(false)

/**
 * The label of a field. For a field without a title, the form library passes its name, which is shown
 * as words. For the items of a list, the library passes labels such as "Lines-1", or the same title for
 * each item; they are shown as "Line 1" and so on.
 */
export function useFieldLabel(label: string, path: readonly (string | number)[]): string {
  const isTuple = useContext(TupleContext)
  const last = path.at(-1)
  if (typeof last === 'number') return itemLabel(label, last, isTuple, path.at(-2))
  return label === last ? humanizeName(label) : label
}

function itemLabel(label: string, index: number, isTuple: boolean, listName: unknown): string {
  const generatedSuffix = `-${index + 1}`
  if (!label.endsWith(generatedSuffix)) return isTuple ? label : `${label} ${index + 1}`
  const list = label.slice(0, -generatedSuffix.length)
  return `${singular(list === listName ? humanizeName(list) : list)} ${index + 1}`
}

/**
 * The singular of an English title. If the singular is unclear, the title is returned unchanged:
 * "Movies" and "Entries" end in the same letters.
 */
function singular(title: string): string {
  if (/(ss|x|ch|sh)es$/i.test(title)) return title.replace(/es$/i, '')
  return /([^suie]|[^iso]e)s$/i.test(title) ? title.slice(0, -1) : title
}
