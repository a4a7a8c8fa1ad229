import { createContext, useContext, useEffect } from 'react'
import type { TextPath } from '../../widgets/inline-editing.tsx'

/** What the fields of a form need so that the texts of the context can be edited where they are shown. */
export type InlineFields = {
  /** Call while the form has a field for this text. Returns a function to call when it no longer has. */
  addField: (path: TextPath) => () => void
  startEditing: (path: TextPath) => void
  /** The element in the context that the field of this text is rendered into, while it is edited. */
  elementAt: (path: TextPath) => HTMLElement | undefined
}

export const InlineFieldsContext = createContext<InlineFields | undefined>(undefined)

/**
 * Registers the field of a text, and says where to render it. Undefined: in the form. Otherwise the
 * context shows the text, and the field is rendered into `element`; without an element, nowhere.
 * If `needsEditor` is true, the text is opened for editing.
 */
export function useInlineSlot(
  path: TextPath | undefined,
  needsEditor: boolean,
): { element: HTMLElement | undefined } | undefined {
  const inlineFields = useContext(InlineFieldsContext)
  const { addField, startEditing } = inlineFields ?? {}
  const key = path && JSON.stringify(path)
  useEffect(() => (key === undefined ? undefined : addField?.(JSON.parse(key))), [key, addField])
  useEffect(() => {
    if (key !== undefined && needsEditor) startEditing?.(JSON.parse(key))
  }, [key, needsEditor, startEditing])
  return path && inlineFields && { element: inlineFields.elementAt(path) }
}
