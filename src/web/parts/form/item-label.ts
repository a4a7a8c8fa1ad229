import { createContext, useContext } from 'react'

/** True inside a tuple, whose items have their own schemas and titles. */
export const TupleContext = createContext(false)

/** Replaces the form library's item labels ("Lines-1", or the same title for all) by "Line 1". */
export function useItemLabel(label: string, index: unknown): string {
  const isTuple = useContext(TupleContext)
  return typeof index === 'number' ? itemLabel(label, index, isTuple) : label
}

export function itemLabel(label: string, index: number, isTuple: boolean): string {
  const made = `-${index + 1}`
  if (label.endsWith(made)) return `${singular(label.slice(0, -made.length))} ${index + 1}`
  return isTuple ? label : `${label} ${index + 1}`
}

/** Of an English word, which most titles are. What does not look like a plural stays. */
function singular(title: string): string {
  if (/[^aeiou]ies$/i.test(title)) return title.replace(/ies$/i, 'y')
  if (/(ss|x|ch|sh)es$/i.test(title)) return title.replace(/es$/i, '')
  return /[^sui]s$/i.test(title) ? title.slice(0, -1) : title
}
