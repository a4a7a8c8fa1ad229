import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react'
import type { Action } from '../../../../contract/action.ts'
import { isObject, own } from '../../../../contract/forms/json.ts'
import { sourceSteps, valueAtSteps } from '../../../../contract/forms/prefill.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { Context } from '../../../../contract/task-fields.ts'
import { useIsPhone } from '../../../lib/use-is-phone.ts'
import { bodyOf } from '../../../widgets/email-body.ts'
import { hintsOf } from '../../../widgets/hints.ts'
import type { InlineEditing, TextPath } from '../../../widgets/inline-editing.tsx'
import { isShort } from '../../../widgets/scalar.tsx'
import { editableTexts } from '../../form/edited-fields.ts'
import type { InlineFields } from '../../form/inline-fields.ts'
import { type RegisteredHandler, useRegisterHandler } from '../registered-handler.ts'

/**
 * Which texts of the context can be edited where they are shown, and which are being edited.
 * `displayed` is the context on screen, in which names of a blind comparison are hidden.
 */
export function useInlineEditingState(task: MemberTaskRecord | undefined, displayed: Context | undefined) {
  const isPhone = useIsPhone()
  const editHandler = useRef<RegisteredHandler<string>>({})
  /** Context fields that the person started to edit. */
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  /** Texts that have a field in the form on screen. */
  const [inForm, setInForm] = useState<ReadonlySet<string>>(new Set())
  const [elements, setElements] = useState<ReadonlyMap<string, HTMLElement>>(new Map())

  // On phones the form is a sheet over the context.
  const isActive = task?.status === 'open' && !isPhone
  // By action, then by the source from which the form prefills the text.
  const paths = useMemo(
    () =>
      new Map(
        isActive
          ? task.actions?.map((action) => [action.id, editablePaths(action, task.context, displayed)])
          : [],
      ),
    [isActive, task?.actions, task?.context, displayed],
  )

  const startEditing = useCallback((field: string) => setStarted((before) => withItem(before, field)), [])
  const setElement = useCallback((path: TextPath, element: HTMLElement | null) => {
    setElements((before) => {
      const after = new Map(before)
      if (element) after.set(keyOf(path), element)
      else after.delete(keyOf(path))
      return after
    })
  }, [])
  const addField = useCallback((path: TextPath) => {
    setInForm((before) => withItem(before, keyOf(path)))
    return () => setInForm((before) => new Set([...before].filter((key) => key !== keyOf(path))))
  }, [])
  const startEditingText = useCallback(([field]: TextPath) => startEditing(field), [startEditing])

  const fields = Object.keys(displayed?.data ?? {})
  const canEdit = (field: string) =>
    [...paths.values()].some((found) => [...found.values()].some(([name]) => name === field))
  const isInForm = (field: string) => [...inForm].some((key) => (JSON.parse(key) as TextPath)[0] === field)

  const forContext: InlineEditing = {
    canEdit,
    firstEditable: fields.find(isInForm) ?? fields.find(canEdit),
    isEditingField: (field) => started.has(field) && isInForm(field),
    isEditing: (path) => inForm.has(keyOf(path)) && started.has(path[0]),
    edit: (field) => editHandler.current.run?.(field),
    setElement,
  }
  const forForm: InlineFields = {
    addField,
    startEditing: startEditingText,
    elementAt: (path) => elements.get(keyOf(path)),
  }
  return {
    /** For the widgets of the context. */
    forContext,
    /** For the fields of the form. */
    forForm,
    /** What the Edit button does; see `useEditHandler`. */
    editHandler,
    /** Shows the editors of a context field, once the form on screen has fields for its texts. */
    startEditing,
    /** Context fields that the form of an action lets people edit in place. */
    fieldsOf: (actionId: string): string[] =>
      [...(paths.get(actionId)?.values() ?? [])].map(([field]) => field),
    /** The texts that the form of an action lets people edit in place, by source. */
    pathsOf: (actionId: string) => paths.get(actionId),
  }
}

export type InlineEditingState = ReturnType<typeof useInlineEditingState>
export const InlineEditingStateContext = createContext<InlineEditingState | undefined>(undefined)
export const useInlineEditing = () => useContext(InlineEditingStateContext)

/** While mounted, registers what the Edit button does. */
export function useEditHandler(run: (field: string) => void): void {
  useRegisterHandler(useInlineEditing()?.editHandler, run)
}

/**
 * The paths, by source, of the texts of the context that an action's form starts with and that are
 * displayed unchanged.
 */
function editablePaths(action: Action, context: Context | undefined, displayed: Context | undefined) {
  return new Map(
    editableTexts(action, context?.data).flatMap(({ source, value }) => {
      const path = sourceSteps(context?.data, source) as unknown as TextPath
      const isUnchanged = valueAtSteps(displayed?.data, path) === value
      return isUnchanged && canShowEditor(displayed, path) ? [[source, path] as const] : []
    }),
  )
}

/**
 * Whether the context can show an editor instead of a text. Of the texts inside an object, this
 * applies only to the subject of an email, and to its body unless that is HTML.
 */
function canShowEditor(context: Context | undefined, [field, ...names]: TextPath): boolean {
  const { widget } = hintsOf(context?.ui, field)
  if (names.length === 0) return widget !== 'hidden'
  const email = own(context?.data ?? {}, field)
  if (widget !== 'email' || names.length > 1 || !isObject(email)) return false
  const body = bodyOf(email)
  if (names[0] === 'subject') return body !== undefined && isShort(email.subject)
  return body?.html === undefined && body?.fields.includes(names[0]!) === true
}

const keyOf = (path: TextPath) => JSON.stringify(path)

function withItem(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  return set.has(item) ? set : new Set([...set, item])
}
