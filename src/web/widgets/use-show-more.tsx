import { type ReactNode, useState } from 'react'
import { formatCount } from '../lib/count.ts'

/** The start of a long list and a button for more. Rendering all items could block the page. */
export function useShowMore<Item>(
  list: Item[],
  pageSize: number,
  noun: string,
): { shown: Item[]; more: ReactNode } {
  const [count, setCount] = useState(pageSize)
  const remaining = list.length - count
  const more = remaining > 0 && (
    <button type="button" className="text-button unfold" onClick={() => setCount(count + 10 * pageSize)}>
      Show {formatCount(Math.min(remaining, 10 * pageSize))} more of {formatCount(remaining)} {noun}
    </button>
  )
  return { shown: remaining > 0 ? list.slice(0, count) : list, more }
}
