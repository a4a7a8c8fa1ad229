import { createContext, useContext, useMemo } from 'react'
import { comparedItems, nameOf } from '../../../../contract/compare.ts'
import type { JsonObject } from '../../../../contract/forms/json.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { limits } from '../../../../contract/limits.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { Presented } from '../../../../contract/task-answer.ts'
import { type ComparisonState, hiddenName } from '../../../widgets/comparisons.ts'
import type { PaneDigits } from '../../form/option-digits.ts'
import { formVersion } from '../drafts/adapt-drafts.ts'
import { useRegisterHandler } from '../registered-handler.ts'
import { createNameHider, type Hide } from './name-hider.ts'
import { anonymizedPayload, contextForDisplay, taskForDisplay } from './task-for-display.ts'
import { useComparisonLayouts } from './use-comparison-layouts.ts'
import { type PickedValue, usePicks } from './use-picks.ts'

/**
 * How a task is displayed: the order of compared items, their hidden names and picks. Panes and form
 * share this state, so that both show the same order and the same pick.
 */
export function useTaskDisplayState(task: MemberTaskRecord | undefined, drafts: Draft[]) {
  const compared = useMemo(() => comparedItems(task?.context), [task?.context])
  const { layouts, isBlindByRequest, change } = useComparisonLayouts(task, compared)
  const picks = usePicks(task, drafts)
  const { pickHandler, winnerIn, canPick, pick, currentPick, onlyDecidedField, setFormData } = picks
  const isOpen = task?.status === 'open'

  const displayed = useMemo(() => task && taskForDisplay(task, compared, layouts), [task, compared, layouts])
  const isBlind = [...layouts.values()].some((layout) => layout.isBlind)
  const context = useMemo(
    () => (isBlind && displayed ? contextForDisplay(displayed, compared, layouts) : displayed?.context),
    [isBlind, displayed, compared, layouts],
  )

  function comparison(field: string): ComparisonState | undefined {
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
    /**
     * The task as it is displayed; undefined until it is loaded. Only the data of its context is not
     * changed, because forms prefill answers with it.
     */
    task: displayed,
    /** The context as it is displayed, with hidden names in its data. */
    context,
    /** Hides names in texts outside `task` and `context`, such as the timeline. */
    hide: useMemo(() => createNameHider(compared, layouts), [compared, layouts]),
    /** The comparison of a context field, for the widget that shows it. */
    comparison,
    /** Display names of the picked items. */
    pickedNames: () => namesOf(currentPick),
    /** Display names of the items that this answer picks. */
    pickedNamesIn: (actionId: string, data: JsonObject) =>
      namesOf((field) => winnerIn(actionId, field, data)),
    /** What the dock does with a picked item; see `usePickHandler`. */
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
    /** The panes that the first digits pick while the form of this action is shown. */
    paneDigits(actionId: string): PaneDigits | undefined {
      const winnerProperty = picks.onlyWinnerPropertyOf(actionId)
      const count = winnerProperty && layouts.get(winnerProperty.field)?.order.length
      return winnerProperty && count !== undefined ? { property: winnerProperty.property, count } : undefined
    },
    /**
     * The field `presented` of an answer: how the comparisons were shown. Leaves out what exceeds the
     * limits of the field.
     */
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
    /** Whether the names of any comparison are hidden. */
    isBlind,
    /** Compares forms as they were sent, because the options may be displayed in another order. */
    formVersion: (actionId: string) => formVersion(task, actionId),
    /** The whole task, to be read or copied. */
    payload: () => (isBlind && displayed ? anonymizedPayload(displayed, compared, layouts) : task),
  }
}

export type TaskDisplay = ReturnType<typeof useTaskDisplayState>
export const TaskDisplayContext = createContext<TaskDisplay | undefined>(undefined)

/** The display of the task in the pane. */
export function useTaskDisplay(): TaskDisplay | undefined {
  return useContext(TaskDisplayContext)
}

const showAll: Hide = (text) => text

/** The function that hides the names of blind comparisons. */
export function useHideNames(): Hide {
  return useTaskDisplay()?.hide ?? showAll
}

/** Registers the handler for picked items while mounted. */
export function usePickHandler(run: (picked: PickedValue) => void): void {
  useRegisterHandler(useTaskDisplay()?.pickHandler, run)
}
