import { createContext, useContext } from 'react'

/** True inside a tuple, whose items have their own schemas and titles. */
export const TupleContext = createContext(false)

/** Replaces the form library's item labels ("Lines-1", or the same title for all) by "Line 1". */
export function useItemLabel(label: string, index: unknown): string {
  const isTuple = useContext(TupleContext)
  return typeof index === 'number' ? itemLabel(label, index, isTuple) : label
}

function itemLabel(label: string, index: number, isTuple: boolean): string {
  const generatedSuffix = `-${index + 1}`
  if (label.endsWith(generatedSuffix))
    return `${singular(label.slice(0, -generatedSuffix.length))} ${index + 1}`
  return isTuple ? label : `${label} ${index + 1}`
}

/** The singular of an English title. Unclear ones are returned unchanged: "Movies" and "Entries" end in the same letters. */
function singular(title: string): string {
  if (/(ss|x|ch|sh)es$/i.test(title)) return title.replace(/es$/i, '')
  return /([^suie]|[^iso]e)s$/i.test(title) ? title.slice(0, -1) : title
}
