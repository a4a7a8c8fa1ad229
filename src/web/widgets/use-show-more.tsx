import { type ReactNode, useState } from 'react'
import { formatCount } from '../lib/count.ts'

/**
 * The start of a long list, and a button that shows ten times as many more. Rendering all items
 * could block the page.
 */
export function useShowMore<Item>(
  list: Item[],
  pageSize: number,
  noun: string,
): { shown: Item[]; more: ReactNode } {
  const [count, setCount] = useState(pageSize)
  const remaining = list.length - count
  const step = 10 * pageSize
  const more = remaining > 0 && (
    <button type="button" className="text-button unfold" onClick={() => setCount(count + step)}>
      Show {formatCount(Math.min(remaining, step))} more of {formatCount(list.length)} {noun}
    </button>
  )
  return { shown: remaining > 0 ? list.slice(0, count) : list, more }
}
