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
 * Where to render the field of a text. Undefined: in the form. Otherwise the context shows the
 * text, and the field takes its place in `element`, or is not rendered if there is none. With
 * `needsEditor`, the text is opened for editing.
 */
export function useFieldPlace(
  path: TextPath | undefined,
  needsEditor: boolean,
): { element: HTMLElement | undefined } | undefined {
  const places = useContext(FieldPlacesContext)
  const { addField, edit } = places ?? {}
  const key = path && JSON.stringify(path)
  useEffect(() => (key === undefined ? undefined : addField?.(JSON.parse(key))), [key, addField])
  useEffect(() => {
    if (key !== undefined && needsEditor) edit?.(JSON.parse(key))
  }, [key, needsEditor, edit])
  return path && places && { element: places.elementAt(path) }
}
