import { type ReactNode, useState } from 'react'

const figure = new Intl.NumberFormat()

/** The start of a long list and a button for more. Rendering all items could block the page. */
export function useShowMore<Item>(
  list: Item[],
  pageSize: number,
  noun: string,
): { shown: Item[]; more: ReactNode } {
  const [count, setCount] = useState(pageSize)
  const left = list.length - count
  const more = left > 0 && (
    <button type="button" className="text-button unfold" onClick={() => setCount(count + 10 * pageSize)}>
      Show {figure.format(Math.min(left, 10 * pageSize))} more of {figure.format(left)} {noun}
    </button>
  )
  return { shown: left > 0 ? list.slice(0, count) : list, more }
}
