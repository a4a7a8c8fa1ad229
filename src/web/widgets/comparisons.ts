import { createContext, useContext, useState } from 'react'
import { type JsonObject, own } from '../../contract/forms/json.ts'

/** Order and visibility of the items of a compare field. */
export type ComparisonLayout = {
  /** Indices of the items in the order shown. */
  order: number[]
  /** Names are hidden and the order is random. */
  isBlind: boolean
}

export type ComparisonState = ComparisonLayout & {
  /** The item that is picked as the winner: by the answer or, before that, by the form or the draft. */
  pick: number | undefined
  /** The task was answered blind; names are shown now. */
  wasBlind: boolean
  mayChange: boolean
  /** The sender requires a blind comparison: names stay hidden until the task ends. */
  isBlindByRequest: boolean
  canPick: (item: number) => boolean
  /** The first nine panes can be picked by digit. */
  hasDigits: boolean
  pickItem: (item: number) => void
  change: (layout: ComparisonLayout) => void
}

/** The comparisons of the shown task by field name. The task view owns order, names and picks. */
export const ComparisonsContext = createContext<(field: string) => ComparisonState | undefined>(
  () => undefined,
)

/**
 * The comparison of a context field. A comparison inside a field, for which `field` is undefined, has
 * its own layout, and no answer can pick its winner.
 */
export function useComparison(field: string | undefined, count: number): ComparisonState {
  const comparisonOf = useContext(ComparisonsContext)
  const [layout, change] = useState(() => initialLayout(count, false))
  const shared = field === undefined ? undefined : comparisonOf(field)
  return (
    shared ?? {
      ...(ifSameCount(layout, count) ?? initialLayout(count, false)),
      pick: undefined,
      wasBlind: false,
      mayChange: true,
      isBlindByRequest: false,
      canPick: () => false,
      hasDigits: false,
      pickItem: () => undefined,
      change,
    }
  )
}

// Hiding names searches every label of the task, so the number of names is limited.
export const maxBlindItems = 50

export function initialLayout(count: number, isBlind: boolean): ComparisonLayout {
  const order = Array.from({ length: count }, (_, n) => n)
  return isBlind && count <= maxBlindItems ? { order: shuffled(order), isBlind } : { order, isBlind: false }
}

/** The layout if the comparison has as many items as the layout. */
export function ifSameCount(
  layout: ComparisonLayout | undefined,
  count: number,
): ComparisonLayout | undefined {
  return layout?.order.length === count ? layout : undefined
}

/** Swaps two items. With more items, moves the first one to the end. */
export function swapped({ order, isBlind }: ComparisonLayout): ComparisonLayout {
  return { order: [...order.slice(1), ...order.slice(0, 1)], isBlind }
}

/**
 * Hiding names shuffles the items. Showing names keeps the order, so that people see the name of
 * each item.
 */
export function withBlind({ order }: ComparisonLayout, isBlind: boolean): ComparisonLayout {
  return { order: isBlind ? shuffled(order) : order, isBlind }
}

function shuffled(order: number[]): number[] {
  const remaining = [...order]
  return order.map(() => remaining.splice(Math.floor(Math.random() * remaining.length), 1)[0]!)
}

export function hiddenName(position: number): string {
  return `Item ${position + 1}`
}

const sourceFields = ['source', 'model']

/** The source or model of an item, if it is short enough for the header of its pane. */
export function sourceOf(item: JsonObject): { field: string; text: string } | undefined {
  for (const field of sourceFields) {
    const text = own(item, field)
    if (typeof text === 'string' && text !== '' && text.length <= 80) return { field, text }
  }
  return undefined
}

/** The fields that say where an item comes from. A blind comparison hides them everywhere. */
export function sourcesOf(item: JsonObject): { field: string; text: string }[] {
  return sourceFields
    .filter((field) => Object.hasOwn(item, field))
    .map((field) => ({ field, text: String(own(item, field) ?? '') }))
}
