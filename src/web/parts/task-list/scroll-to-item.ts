import type { Virtualizer } from '@tanstack/react-virtual'

/**
 * Scrolls the item into view by the smallest distance. Row heights are known, so this avoids the forced
 * layouts that the virtualizer's `scrollToIndex` causes now and in the next frame.
 */
export function scrollToItem(list: Virtualizer<HTMLDivElement, Element>, index: number): void {
  const offset = list.getOffsetForIndex(index, 'auto')?.[0]
  if (offset !== undefined && offset !== list.scrollOffset) list.scrollElement?.scrollTo({ top: offset })
}
