import { createContext, useContext, useMemo } from 'react'
import { comparedItems, nameOf } from '../../../../contract/compare.ts'
import type { JsonObject } from '../../../../contract/forms/json.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { limits } from '../../../../contract/limits.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { Presented } from '../../../../contract/task-answer.ts'
import { type Comparison, hiddenName } from '../../../widgets/comparisons.ts'
import type { PaneDigits } from '../../form/option-digits.ts'
import { formVersion } from '../drafts/adapt-drafts.ts'
import { useHandler } from '../use-handler.ts'
import { createNameHider, type Hide } from './name-hider.ts'
import { anonymizedPayload, contextForDisplay, taskForDisplay } from './task-for-display.ts'
import { useComparisonLayouts } from './use-comparison-layouts.ts'
import { type Pick, usePicks } from './use-picks.ts'

/** Creates the presented task: the state of its comparisons, which keeps panes and form in sync. */
export function usePresentedTaskState(task: MemberTaskRecord | undefined, drafts: Draft[]) {
  const compared = useMemo(() => comparedItems(task?.context), [task?.context])
  const { layouts, isBlindByRequest, change } = useComparisonLayouts(task, compared)
  const picks = usePicks(task, drafts)
  const { pickHandler, winnerIn, canPick, pick, currentPick, onlyDecidedField, setFormData } = picks
  const isOpen = task?.status === 'open'

  const shown = useMemo(() => task && taskForDisplay(task, compared, layouts), [task, compared, layouts])
  const isBlind = [...layouts.values()].some((layout) => layout.isBlind)
  const context = useMemo(
    () => (isBlind && shown ? contextForDisplay(shown, compared, layouts) : shown?.context),
    [isBlind, shown, compared, layouts],
  )

  function comparison(field: string): Comparison | undefined {
    const layout = layouts.get(field)
    if (!layout) return undefined
    const winner = task?.handled && winnerIn(task.handled.actionId, field, task.handled.data)
    return {
      ...layout,
      pick: winner ?? (isOpen ? currentPick(field) : undefined),
      wasBlind: task?.handled?.presented?.[field]?.blind === true,
      mayChange: isOpen,
      isBlindByRequest: isOpen && isBlindByRequest(field),
      canPick: (item) => canPick(field, item),
      hasDigits: onlyDecidedField() === field,
      pickItem: (item) => void pick(field, item),
      change: (next) => change(field, next),
    }
  }

  function namesOf(pickIn: (field: string) => number | undefined): string[] {
    return [...layouts].flatMap(([field, { order, isBlind: blind }]) => {
      const picked = pickIn(field)
      const item = picked === undefined ? undefined : compared.get(field)?.[picked]
      if (picked === undefined || !item) return []
      const label = hiddenName(order.indexOf(picked))
      return [blind ? label : (nameOf(item) ?? label)]
    })
  }

  return {
    /** The task as it is displayed. */
    shown,
    /** Its context as it is displayed. */
    context,
    /** Hides names in texts outside `shown` and `context`, such as the timeline. */
    hide: useMemo(() => createNameHider(compared, layouts), [compared, layouts]),
    comparison,
    /** Display names of the picked items. */
    pickedNames: () => namesOf(currentPick),
    /** Display names of the items that this answer picks. */
    pickedNamesIn: (actionId: string, data: JsonObject) =>
      namesOf((field) => winnerIn(actionId, field, data)),
    pickHandler,
    setFormData,
    /**
     * Picks the pane at a position, from 0, if the task has exactly one comparison to decide.
     * Returns whether it did.
     */
    pickPane(position: number): boolean {
      const field = onlyDecidedField()
      const item = field === undefined ? undefined : layouts.get(field)?.order[position]
      return field !== undefined && item !== undefined && pick(field, item)
    },
    /** The panes that have the first digits while the form of this action is shown. */
    paneDigits(actionId: string): PaneDigits | undefined {
      const winnerProperty = picks.onlyWinnerPropertyOf(actionId)
      const count = winnerProperty && layouts.get(winnerProperty.field)?.order.length
      return winnerProperty && count !== undefined ? { property: winnerProperty.property, count } : undefined
    },
    /** How the comparisons were shown, sent along with the answer as far as its limits allow. */
    presentedForAnswer(): Presented | undefined {
      const fields = [...layouts].filter(
        ([field, { order }]) =>
          field.length <= limits.presentedField && order.length <= limits.presentedItems,
      )
      if (fields.length === 0) return undefined
      return Object.fromEntries(
        fields
          .slice(0, limits.presentedFields)
          .map(([field, { order, isBlind: blind }]) => [field, { order, blind }]),
      )
    },
    isBlind,
    /** Compares the task as it was sent, because what is displayed may be in another order. */
    formVersion: (actionId: string) => formVersion(task, actionId),
    payload: () => (isBlind && shown ? anonymizedPayload(shown, compared, layouts) : task),
  }
}

export type PresentedTask = ReturnType<typeof usePresentedTaskState>
export const PresentedContext = createContext<PresentedTask | undefined>(undefined)

/** The presented task of the pane, from its context. */
export function usePresentedTask(): PresentedTask | undefined {
  return useContext(PresentedContext)
}

const showAll: Hide = (text) => text

/** The function that hides the names of blind comparisons. */
export function useHide(): Hide {
  return usePresentedTask()?.hide ?? showAll
}

/** Registers the handler for picked panes while mounted. */
export function usePickHandler(run: (pick: Pick) => void): void {
  useHandler(usePresentedTask()?.pickHandler, run)
}
