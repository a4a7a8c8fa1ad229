import { type ReactNode, useState } from 'react'
import { formatCount } from '../lib/count.ts'

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
      Show {formatCount(Math.min(left, 10 * pageSize))} more of {formatCount(left)} {noun}
    </button>
  )
  return { shown: left > 0 ? list.slice(0, count) : list, more }
}
