import { createContext, useContext, useEffect } from 'react'
import type { TextPath } from '../../widgets/edit-places.tsx'

/** Connects fields of the form with the places of their texts in the context. */
export type FieldPlaces = {
  /** Call while the form has a field for this text. Returns a function to call when it no longer has. */
  addField: (path: TextPath) => () => void
  edit: (path: TextPath) => void
  elementAt: (path: TextPath) => HTMLElement | undefined
}

export const FieldPlacesContext = createContext<FieldPlaces | undefined>(undefined)

/**
 * Where to render the field of a text that the context shows; without an element, nowhere. Undefined: in the form.
 * A changed text is edited at once.
 */
export function useFieldPlace(
  path: TextPath | undefined,
  isChanged: boolean,
): { element: HTMLElement | undefined } | undefined {
  const places = useContext(FieldPlacesContext)
  const { addField, edit } = places ?? {}
  const key = path && JSON.stringify(path)
  useEffect(() => (key === undefined ? undefined : addField?.(JSON.parse(key))), [key, addField])
  useEffect(() => {
    if (key !== undefined && isChanged) edit?.(JSON.parse(key))
  }, [key, isChanged, edit])
  return path && places && { element: places.elementAt(path) }
}
