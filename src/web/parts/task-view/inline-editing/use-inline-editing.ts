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
import { type Handler, useHandler } from '../use-handler.ts'

/** Which texts of the context can be edited in place, and which are being edited. */
export function useInlineEditingState(task: MemberTaskRecord | undefined, shown: Context | undefined) {
  const isPhone = useIsPhone()
  const editHandler = useRef<Handler<string>>({})
  /** Context fields that the person started to edit. */
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  /** Texts that have a field in the form on screen. */
  const [inForm, setInForm] = useState<ReadonlySet<string>>(new Set())
  const [elements, setElements] = useState<ReadonlyMap<string, HTMLElement>>(new Map())

  // On phones the form is a sheet over the context.
  const isActive = task?.status === 'open' && !isPhone
  const paths = useMemo(
    () =>
      new Map(
        isActive
          ? task.actions?.map((action) => [action.id, editablePaths(action, task.context, shown)])
          : [],
      ),
    [isActive, task?.actions, task?.context, shown],
  )

  const start = useCallback((field: string) => setStarted((before) => withItem(before, field)), [])
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
  const edit = useCallback((path: TextPath) => start(path[0]), [start])

  const fields = Object.keys(shown?.data ?? {})
  const canEdit = (field: string) =>
    [...paths.values()].some((found) => [...found.values()].some(([name]) => name === field))
  const isInForm = (field: string) => [...inForm].some((key) => (JSON.parse(key) as TextPath)[0] === field)

  const inlineEditing: InlineEditing = {
    canEdit,
    firstEditable: fields.find(isInForm) ?? fields.find(canEdit),
    isEditingField: (field) => started.has(field) && isInForm(field),
    isEditing: (path) => inForm.has(keyOf(path)) && started.has(path[0]),
    edit: (field) => editHandler.current.run?.(field),
    setElement,
  }
  const inlineFields: InlineFields = {
    addField,
    edit,
    elementAt: (path) => elements.get(keyOf(path)),
  }
  return {
    inlineEditing,
    inlineFields,
    editHandler,
    start,
    /** Context fields that the form of an action lets people edit in place. */
    fieldsOf: (actionId: string): string[] =>
      [...(paths.get(actionId)?.values() ?? [])].map(([field]) => field),
    pathsOf: (actionId: string) => paths.get(actionId),
  }
}

export type InlineEditingState = ReturnType<typeof useInlineEditingState>
export const InlineEditingStateContext = createContext<InlineEditingState | undefined>(undefined)
export const useInlineEditing = () => useContext(InlineEditingStateContext)

/** While mounted, registers what the Edit button does. */
export function useEditHandler(run: (field: string) => void): void {
  useHandler(useInlineEditing()?.editHandler, run)
}

/**
 * The paths, by source, of the texts of the context that a form starts with and that are shown as
 * they are.
 */
function editablePaths(action: Action, context: Context | undefined, shown: Context | undefined) {
  return new Map(
    editableTexts(action, context?.data).flatMap(({ source, value }) => {
      const path = sourceSteps(context?.data, source) as unknown as TextPath
      const isShown = valueAtSteps(shown?.data, path) === value && canShowEditor(shown, path)
      return isShown ? [[source, path] as const] : []
    }),
  )
}

/**
 * Whether the context can show an editor instead of a text. Of the texts inside an object, only the
 * subject of an email, and its body unless that is HTML.
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
