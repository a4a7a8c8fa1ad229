import { useMemo, useRef, useState } from 'react'
import { isPermutation } from '../../../../contract/compare.ts'
import { type JsonObject, own } from '../../../../contract/forms/json.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { type ComparisonLayout, ifSameCount, initialLayout } from '../../../widgets/comparisons.ts'
import { hintsOf } from '../../../widgets/hints.ts'

/**
 * The order of the items of each comparison, and whether their names are hidden. An ended task is
 * shown in the order in which it was answered, with names.
 */
export function useComparisonLayouts(
  task: MemberTaskRecord | undefined,
  compared: ReadonlyMap<string, JsonObject[]>,
) {
  // Kept for the lifetime of the pane, because a random order must not change while the task is on
  // screen, unless a revision adds or removes items.
  const initial = useRef(new Map<string, ComparisonLayout>())
  const [changed, setChanged] = useState<ReadonlyMap<string, ComparisonLayout>>(new Map())
  const isOpen = task?.status === 'open'

  const layouts = useMemo(() => {
    const result = new Map<string, ComparisonLayout>()
    for (const [field, items] of compared) {
      const asksForBlind = own(hintsOf(task?.context?.ui, field).options ?? {}, 'blind') === true
      const first =
        ifSameCount(initial.current.get(field), items.length) ?? initialLayout(items.length, asksForBlind)
      initial.current.set(field, first)
      const current = ifSameCount(changed.get(field), items.length) ?? first
      const answeredOrder = task?.handled?.presented?.[field]?.order
      result.set(
        field,
        isOpen ? current : { order: orderOf(answeredOrder, items.length) ?? current.order, isBlind: false },
      )
    }
    return result
  }, [compared, changed, isOpen, task])

  return {
    layouts,
    isBlindByRequest: (field: string) => initial.current.get(field)?.isBlind === true,
    change: (field: string, layout: ComparisonLayout) =>
      setChanged((before) => new Map(before).set(field, layout)),
  }
}

/** The stored order, unless the items have changed since. */
function orderOf(order: number[] | undefined, count: number): number[] | undefined {
  return order && isPermutation(order, count) ? order : undefined
}
