import { createContext, type ReactNode, useCallback, useContext } from 'react'

/** Where a text is in the context: the name of a field, and the names inside it. */
export type TextPath = readonly [field: string, ...names: string[]]

/** Which texts of the context can be edited where they are shown: those that a form starts with. */
export type InlineEditing = {
  /** Whether an action's form starts with a text of this context field. */
  canEdit: (field: string) => boolean
  /**
   * The field that the shortcut edits: the first with a text in the form on screen, otherwise the
   * first of any action.
   */
  firstEditable: string | undefined
  /** Whether an editor is shown instead of this text. */
  isEditing: (path: TextPath) => boolean
  isEditingField: (field: string) => boolean
  edit: (field: string) => void
  /** Sets the element that the form renders the editor into. */
  setElement: (path: TextPath, element: HTMLElement | null) => void
}

export const InlineEditingContext = createContext<InlineEditing | undefined>(undefined)

/** Shows a text, or its editor while it is edited. Without a path, it cannot be edited. */
export function EditableText({ path, children }: { path: TextPath | undefined; children: ReactNode }) {
  const editing = useContext(InlineEditingContext)
  return path && editing?.isEditing(path) ? <EditorSlot editing={editing} path={path} /> : children
}

/** The element that the form renders the editor of this text into. */
function EditorSlot({ editing: { setElement }, path }: { editing: InlineEditing; path: TextPath }) {
  const key = JSON.stringify(path)
  const ref = useCallback(
    (element: HTMLElement | null) => setElement(JSON.parse(key) as TextPath, element),
    [setElement, key],
  )
  return <div ref={ref} data-edited-in-place />
}
