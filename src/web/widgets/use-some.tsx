import { type ReactNode, useState } from 'react'

const figure = new Intl.NumberFormat()

/** The beginning of a long list, and a button that says how much is left. Drawing all could hold up the page. */
export function useSome<Item>(list: Item[], most: number, what: string): { shown: Item[]; more: ReactNode } {
  const [count, setCount] = useState(most)
  const left = list.length - count
  const more = left > 0 && (
    <button type="button" className="text-button unfold" onClick={() => setCount(count + 10 * most)}>
      Show {figure.format(Math.min(left, 10 * most))} more of {figure.format(left)} {what}
    </button>
  )
  return { shown: left > 0 ? list.slice(0, count) : list, more }
}
