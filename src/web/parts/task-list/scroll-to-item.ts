import type { Virtualizer } from '@tanstack/react-virtual'

/**
 * Scrolls as little as brings the item into view. Heights are known, so most steps need not ask the page, which would lay
 * out at once all that the step has changed; the list's own `scrollToIndex` asks twice, now and in the next frame.
 */
export function scrollToItem(list: Virtualizer<HTMLDivElement, Element>, index: number): void {
  const offset = list.getOffsetForIndex(index, 'auto')?.[0]
  if (offset !== undefined && offset !== list.scrollOffset) list.scrollElement?.scrollTo({ top: offset })
}
