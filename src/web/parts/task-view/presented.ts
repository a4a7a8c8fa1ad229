import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { comparedItems, type Decision, decisionsOf, nameOf, winnerOf } from '../../../contract/compare.ts'
import { isObject, own } from '../../../contract/forms/json.ts'
import type { Draft } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberTaskRecord, Presented } from '../../../contract/task.ts'
import {
  type Comparison,
  type ComparisonLayout,
  hiddenName,
  initialLayout,
} from '../../widgets/comparisons.ts'
import { hintsOf } from '../../widgets/hints.ts'
import { nameHider } from './name-hider.ts'
import { hiddenPayload, shownContext, shownTask } from './shown-task.ts'
import { newestDraft } from './use-drafts.ts'

/** The form value that corresponds to a picked pane. */
export type Pick = { actionId: string; property: string; value: unknown }
type Data = Record<string, unknown>
type Picker = { run?: (pick: Pick) => void }

/** State of the task's comparisons as shown here; keeps panes and form in sync. */
export function usePresented(task: MemberTaskRecord | undefined, drafts: Draft[]) {
  const compared = useMemo(() => comparedItems(task?.context), [task?.context])
  const starts = useRef(new Map<string, ComparisonLayout>())
  const [changed, setChanged] = useState<ReadonlyMap<string, ComparisonLayout>>(new Map())
  const [picks, setPicks] = useState<Record<string, number | undefined>>({})
  const current = useRef<string | undefined>(undefined)
  const picker = useRef<Picker>({})
  const isOpen = task?.status === 'open'

  const standings = useMemo(() => {
    const found = new Map<string, ComparisonLayout>()
    for (const [field, items] of compared) {
      const isAsked = own(hintsOf(task?.context?.ui, field).options ?? {}, 'blind') === true
      const start = starts.current.get(field) ?? initialLayout(items.length, isAsked)
      starts.current.set(field, start)
      const now = changed.get(field) ?? start
      const answered = task?.handled?.presented?.[field]?.order
      found.set(
        field,
        isOpen ? now : { order: permutation(answered, items.length) ?? now.order, isBlind: false },
      )
    }
    return found
  }, [compared, changed, isOpen, task])

  const decisions = useMemo(
    () => new Map(task?.actions?.map((action) => [action.id, decisionsOf(task.context, action)])),
    [task?.context, task?.actions],
  )
  const shown = useMemo(() => task && shownTask(task, compared, standings), [task, compared, standings])
  const isBlind = [...standings.values()].some((standing) => standing.isBlind)
  const context = useMemo(
    () => (isBlind && shown ? shownContext(shown, compared, standings) : shown?.context),
    [isBlind, shown, compared, standings],
  )

  /** Prefers the action whose form is on screen, then the first that decides this comparison. */
  function pickOf(field: string, item: number): Pick | undefined {
    const ids = [current.current, ...decisions.keys()]
    for (const actionId of ids) {
      const decision = decisions.get(actionId ?? '')?.find((other) => other.field === field)
      const value = decision?.values[item]
      if (actionId !== undefined && decision && value !== undefined)
        return { actionId, property: decision.property, value }
    }
    return undefined
  }

  function choose(field: string, item: number): boolean {
    const pick = isOpen ? pickOf(field, item) : undefined
    if (!pick || !picker.current.run) return false
    picker.current.run(pick)
    return true
  }

  /** The pick in the form on screen; without a form, the pick in the newest draft. */
  function pickNow(field: string): number | undefined {
    if (current.current !== undefined) return picks[field]
    const deciding = drafts.filter(
      ({ actionId, data }) => winnerIn(decisions.get(actionId), field, data) !== undefined,
    )
    const newest = newestDraft(deciding)
    return newest && winnerIn(decisions.get(newest.actionId), field, newest.data)
  }

  function comparison(field: string): Comparison | undefined {
    const standing = standings.get(field)
    if (!standing) return undefined
    const winner = task?.handled && winnerIn(decisions.get(task.handled.actionId), field, task.handled.data)
    return {
      ...standing,
      pick: winner ?? (isOpen ? pickNow(field) : undefined),
      wasBlind: task?.handled?.presented?.[field]?.blind === true,
      mayChange: isOpen,
      isBlindByRequest: isOpen && starts.current.get(field)?.isBlind === true,
      canPick: (item) => isOpen && pickOf(field, item) !== undefined,
      choose: (item) => void choose(field, item),
      change: (next) => setChanged((before) => new Map(before).set(field, next)),
    }
  }

  return {
    shown,
    /** The context of `shown` for display. */
    context,
    /** For texts outside the task, such as the timeline. */
    hide: useMemo(() => nameHider(compared, standings), [compared, standings]),
    comparison,
    /** Display names of the picked items. */
    pickedNames(): string[] {
      return [...standings].flatMap(([field, { order, isBlind: blind }]) => {
        const pick = pickNow(field)
        const item = pick === undefined ? undefined : compared.get(field)?.[pick]
        if (pick === undefined || !item) return []
        const place = hiddenName(order.indexOf(pick))
        return [blind ? place : (nameOf(item) ?? place)]
      })
    },
    picker,
    /** Current data of an action's form; undefined when the form unmounts. */
    setFormData(actionId: string, data: Data | undefined) {
      if (data === undefined && current.current !== actionId) return
      current.current = data && actionId
      const now: Record<string, number | undefined> = {}
      for (const { field } of decisions.get(actionId) ?? [])
        now[field] = data && winnerIn(decisions.get(actionId), field, data)
      setPicks((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
    },
    /** Picks a pane by digit if exactly one comparison is to be decided; otherwise returns false. */
    choosePane(place: number): boolean {
      const action = current.current
      const decided = action ? (decisions.get(action) ?? []) : [...decisions.values()].flat()
      const [field, another] = new Set(decided.map((decision) => decision.field))
      const item = field === undefined ? undefined : standings.get(field)?.order[place]
      return field !== undefined && another === undefined && item !== undefined && choose(field, item)
    },
    /** How the comparisons were shown, sent along with the answer. */
    presentedForAnswer(): Presented | undefined {
      const fields = [...standings].filter(([, { order }]) => order.length <= limits.presentedItems)
      if (fields.length === 0) return undefined
      return Object.fromEntries(
        fields
          .slice(0, limits.presentedFields)
          .filter(([field]) => field.length <= limits.presentedField)
          .map(([field, { order, isBlind: blind }]) => [field, { order, blind }]),
      )
    },
    isBlind,
    payload: () => (isBlind && shown ? hiddenPayload(shown, compared, standings) : task),
  }
}

export type PresentedTask = ReturnType<typeof usePresented>
export const PresentedContext = createContext<PresentedTask | undefined>(undefined)

export function usePresentedTask(): PresentedTask | undefined {
  return useContext(PresentedContext)
}

/** Registers the handler for picked panes while mounted. */
export function usePicker(run: (pick: Pick) => void): void {
  const picker = usePresentedTask()?.picker
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!picker) return undefined
    picker.current = { run: (pick) => latest.current(pick) }
    return () => {
      picker.current = {}
    }
  }, [picker])
}

function winnerIn(decisions: Decision[] | undefined, field: string, data: Data): number | undefined {
  const decision = decisions?.find((other) => other.field === field)
  const winner = decision && isObject(data) ? winnerOf(decision, data) : undefined
  return typeof winner === 'number' ? winner : undefined
}

/** The stored order if it is a valid permutation of the items. */
function permutation(order: number[] | undefined, count: number): number[] | undefined {
  const isWhole = order?.length === count && new Set(order).size === count
  return isWhole && order.every((item) => item < count) ? order : undefined
}
