import { type ReactNode, useState } from 'react'
import { formatCount } from '../lib/count.ts'

/**
 * The first `firstCount` items of a long list, and a button that adds up to ten times as many per
 * press. Rendering all items could block the page.
 */
export function useShowMore<Item>(
  list: Item[],
  firstCount: number,
  noun: string,
): { shown: Item[]; more: ReactNode } {
  const [count, setCount] = useState(firstCount)
  const remaining = list.length - count
  const step = 10 * firstCount
  const more = remaining > 0 && (
    <button type="button" className="text-button unfold" onClick={() => setCount(count + step)}>
      Show {formatCount(Math.min(remaining, step))} more of {formatCount(list.length)} {noun}
    </button>
  )
  return { shown: remaining > 0 ? list.slice(0, count) : list, more }
}
