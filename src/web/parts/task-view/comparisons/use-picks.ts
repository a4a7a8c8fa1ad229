import { useMemo, useRef, useState } from 'react'
import { type WinnerProperty, winnerOf, winnerPropertiesOf } from '../../../../contract/compare.ts'
import { isObject } from '../../../../contract/forms/json.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { RegisteredHandler } from '../registered-handler.ts'

/** The value of the form field that names the picked item as the winner. */
export type PickedValue = { actionId: string; property: string; value: unknown }
type Data = Record<string, unknown>
/** `picks`: the picked item of each comparison, by context field. */
type FormPicks = { actionId?: string | undefined; picks: Record<string, number | undefined> }

/** Translates between picked items and the form fields that name the winner of a comparison. */
export function usePicks(task: MemberTaskRecord | undefined, drafts: Draft[]) {
  // The action id is included so that switching to another action's form renders the digits of the
  // panes again.
  const [form, setForm] = useState<FormPicks>({ picks: {} })
  /**
   * The action whose form is on screen. In a ref as well, because keys and a form that unmounts need
   * the current one, also before the state is rendered.
   */
  const formActionId = useRef<string | undefined>(undefined)
  const pickHandler = useRef<RegisteredHandler<PickedValue>>({})
  const isOpen = task?.status === 'open'
  const winnerProperties = useMemo(
    () => new Map(task?.actions?.map((action) => [action.id, winnerPropertiesOf(task.context, action)])),
    [task?.context, task?.actions],
  )

  const winnerIn = (actionId: string, field: string, data: Data) =>
    findWinner(winnerProperties.get(actionId), field, data)

  /**
   * The value that picks an item: in the form on screen if it decides this comparison, otherwise in
   * the form of the first action that does.
   */
  function valueFor(field: string, item: number): PickedValue | undefined {
    const ids = [formActionId.current, ...winnerProperties.keys()]
    for (const actionId of ids) {
      const winnerProperty = winnerProperties.get(actionId ?? '')?.find((other) => other.field === field)
      const value = winnerProperty?.values[item]
      if (actionId !== undefined && winnerProperty && value !== undefined)
        return { actionId, property: winnerProperty.property, value }
    }
    return undefined
  }

  return {
    pickHandler,
    /** The item that an answer with this data names as the winner of a comparison. */
    winnerIn,
    canPick: (field: string, item: number) => isOpen && valueFor(field, item) !== undefined,
    /**
     * Passes the pick to the dock. Returns false if the task is not open, no action decides the
     * comparison, or there is no dock.
     */
    pick(field: string, item: number): boolean {
      const picked = isOpen ? valueFor(field, item) : undefined
      if (!picked || !pickHandler.current.run) return false
      pickHandler.current.run(picked)
      return true
    },
    /** The item picked in the form on screen; without a form, in the newest draft that picks one. */
    currentPick(field: string): number | undefined {
      if (formActionId.current !== undefined) return form.picks[field]
      const newest = drafts.findLast(({ actionId, data }) => winnerIn(actionId, field, data) !== undefined)
      return newest && winnerIn(newest.actionId, field, newest.data)
    },
    /** The property that names the winner in the form of an action, if it names exactly one winner. */
    onlyWinnerPropertyOf(actionId: string): WinnerProperty | undefined {
      const [winnerProperty, another] = winnerProperties.get(actionId) ?? []
      return another === undefined ? winnerProperty : undefined
    },
    /**
     * The only comparison that the form on screen decides, or if there is no form, that any action
     * decides. Undefined if there are several or none.
     */
    onlyDecidedField(): string | undefined {
      const actionId = formActionId.current
      const decided = actionId
        ? (winnerProperties.get(actionId) ?? [])
        : [...winnerProperties.values()].flat()
      const [field, another] = new Set(decided.map((winnerProperty) => winnerProperty.field))
      return another === undefined ? field : undefined
    },
    /** `data` is the current data of an action's form; undefined when the form unmounts. */
    setFormData(actionId: string, data: Data | undefined) {
      if (data === undefined && formActionId.current !== actionId) return
      formActionId.current = data && actionId
      const current: Record<string, number | undefined> = {}
      for (const { field } of winnerProperties.get(actionId) ?? [])
        current[field] = data && winnerIn(actionId, field, data)
      const next = { actionId: formActionId.current, picks: current }
      setForm((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
    },
  }
}

function findWinner(
  winnerProperties: WinnerProperty[] | undefined,
  field: string,
  data: Data,
): number | undefined {
  const winnerProperty = winnerProperties?.find((other) => other.field === field)
  const winner = winnerProperty && isObject(data) ? winnerOf(winnerProperty, data) : undefined
  return typeof winner === 'number' ? winner : undefined
}
