import { createContext, type ReactNode, useCallback, useContext } from 'react'

/** Where a text is in the context: the name of a field, and the names inside it. */
export type TextPath = readonly [field: string, ...names: string[]]

/** The texts of the context that a form starts with. They are edited where they are shown. */
export type EditPlaces = {
  /** Whether an action's form starts with a text of this context field. */
  canEdit: (field: string) => boolean
  /**
   * The field that the shortcut edits: the first with a text in the form on screen, otherwise the
   * first of any action.
   */
  firstEditable: string | undefined
  /** Whether an editor takes the place of this text. */
  isEditing: (path: TextPath) => boolean
  isEditingField: (field: string) => boolean
  edit: (field: string) => void
  /** The form renders its editor into this element. */
  setElement: (path: TextPath, element: HTMLElement | null) => void
}

export const EditPlacesContext = createContext<EditPlaces | undefined>(undefined)

/** Shows a text, or its editor while it is edited. Without a path, it cannot be edited. */
export function EditableText({ path, children }: { path: TextPath | undefined; children: ReactNode }) {
  const places = useContext(EditPlacesContext)
  return path && places?.isEditing(path) ? <Place places={places} path={path} /> : children
}

function Place({ places: { setElement }, path }: { places: EditPlaces; path: TextPath }) {
  const key = JSON.stringify(path)
  const ref = useCallback(
    (element: HTMLElement | null) => setElement(JSON.parse(key) as TextPath, element),
    [setElement, key],
  )
  return <div ref={ref} data-edited-in-place />
}
