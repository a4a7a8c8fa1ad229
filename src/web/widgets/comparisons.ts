import { createContext, useContext, useState } from 'react'
import { type JsonObject, own } from '../../contract/forms/json.ts'

/** How the items of a compare field stand on the page. */
export type Standing = {
  /** Indices of the items in the order shown. */
  order: number[]
  /** Names are hidden and the order is random. */
  isBlind: boolean
}

export type Comparison = Standing & {
  /** The item that the answer names as the winner. */
  pick: number | undefined
  /** It was answered without names, and now they are shown. */
  wasBlind: boolean
  mayChange: boolean
  /** The sender asked for it: names stay hidden until there is an answer. */
  isBlindByRequest: boolean
  canPick: (item: number) => boolean
  choose: (item: number) => void
  change: (standing: Standing) => void
}

/** The comparisons of the open task by the names of their fields: order, names and picks concern the whole task. */
export const ComparisonsContext = createContext<(field: string) => Comparison | undefined>(() => undefined)

/** A comparison inside of something else is only looked at: no answer names its winner. */
export function useComparison(field: string | undefined, count: number): Comparison {
  const ofTask = useContext(ComparisonsContext)
  const [standing, change] = useState(() => firstStanding(count, false))
  const known = field === undefined ? undefined : ofTask(field)
  return (
    known ?? {
      ...standing,
      pick: undefined,
      wasBlind: false,
      mayChange: true,
      isBlindByRequest: false,
      canPick: () => false,
      choose: () => undefined,
      change,
    }
  )
}

// Names are looked for in every label of the task; beyond these nobody compares without names anyway.
export const mostBlind = 50

export function firstStanding(count: number, isBlind: boolean): Standing {
  const order = Array.from({ length: count }, (_, n) => n)
  return isBlind && count <= mostBlind ? { order: shuffled(order), isBlind } : { order, isBlind: false }
}

/** Two change sides; of more, the first goes to the end. */
export function swapped({ order, isBlind }: Standing): Standing {
  return { order: [...order.slice(1), ...order.slice(0, 1)], isBlind }
}

/** A new order each time names are hidden. Names come back in place, so that one sees which was which. */
export function withBlind({ order }: Standing, isBlind: boolean): Standing {
  return { order: isBlind ? shuffled(order) : order, isBlind }
}

function shuffled(order: number[]): number[] {
  const left = [...order]
  return order.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]!)
}

export function hiddenName(place: number): string {
  return `Item ${place + 1}`
}

/** Where an item comes from, besides its name. */
export function sourceOf(item: JsonObject): { field: string; text: string } | undefined {
  for (const field of ['source', 'model']) {
    const text = own(item, field)
    if (typeof text === 'string' && text !== '' && text.length <= 80) return { field, text }
  }
  return undefined
}
