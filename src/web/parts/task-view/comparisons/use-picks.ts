import { useMemo, useRef, useState } from 'react'
import { type WinnerProperty, winnerOf, winnerPropertiesOf } from '../../../../contract/compare.ts'
import { isObject } from '../../../../contract/forms/json.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { Handler } from '../use-handler.ts'

/** The form value that corresponds to a picked pane. */
export type Pick = { actionId: string; property: string; value: unknown }
type Data = Record<string, unknown>
type FormPicks = { actionId?: string | undefined; picks: Record<string, number | undefined> }

/** Translates between picked panes and the form fields that name the winner of a comparison. */
export function usePicks(task: MemberTaskRecord | undefined, drafts: Draft[]) {
  // The action id is included so that switching to another action's form renders the digits of the
  // panes again.
  const [form, setForm] = useState<FormPicks>({ picks: {} })
  /** The action whose form is on screen. */
  const shownActionId = useRef<string | undefined>(undefined)
  const pickHandler = useRef<Handler<Pick>>({})
  const isOpen = task?.status === 'open'
  const winnerProperties = useMemo(
    () => new Map(task?.actions?.map((action) => [action.id, winnerPropertiesOf(task.context, action)])),
    [task?.context, task?.actions],
  )

  const winnerIn = (actionId: string, field: string, data: Data) =>
    findWinner(winnerProperties.get(actionId), field, data)

  /** Prefers the action whose form is on screen, then the first that decides this comparison. */
  function pickFor(field: string, item: number): Pick | undefined {
    const ids = [shownActionId.current, ...winnerProperties.keys()]
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
    winnerIn,
    canPick: (field: string, item: number) => isOpen && pickFor(field, item) !== undefined,
    /**
     * Passes the pick to the dock. Returns false if the task is not open, no action decides the
     * comparison, or there is no dock.
     */
    pick(field: string, item: number): boolean {
      const pick = isOpen ? pickFor(field, item) : undefined
      if (!pick || !pickHandler.current.run) return false
      pickHandler.current.run(pick)
      return true
    },
    /** The pick in the form on screen; without a form, the pick in the newest draft that has one. */
    currentPick(field: string): number | undefined {
      if (shownActionId.current !== undefined) return form.picks[field]
      const newest = drafts.findLast(({ actionId, data }) => winnerIn(actionId, field, data) !== undefined)
      return newest && winnerIn(newest.actionId, field, newest.data)
    },
    /** The property that names the winner in the form of an action, if it names exactly one winner. */
    onlyWinnerPropertyOf(actionId: string): WinnerProperty | undefined {
      const [winnerProperty, another] = winnerProperties.get(actionId) ?? []
      return another === undefined ? winnerProperty : undefined
    },
    /** The comparison that the form on screen decides, or without a form any action, if it is exactly one. */
    onlyDecidedField(): string | undefined {
      const actionId = shownActionId.current
      const decided = actionId
        ? (winnerProperties.get(actionId) ?? [])
        : [...winnerProperties.values()].flat()
      const [field, another] = new Set(decided.map((winnerProperty) => winnerProperty.field))
      return another === undefined ? field : undefined
    },
    /** `data` is the current data of an action's form; undefined when the form unmounts. */
    setFormData(actionId: string, data: Data | undefined) {
      if (data === undefined && shownActionId.current !== actionId) return
      shownActionId.current = data && actionId
      const current: Record<string, number | undefined> = {}
      for (const { field } of winnerProperties.get(actionId) ?? [])
        current[field] = data && winnerIn(actionId, field, data)
      const next = { actionId: shownActionId.current, picks: current }
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
