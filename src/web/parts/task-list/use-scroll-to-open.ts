import type { Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'

// This many rows stay visible before and after the open one.
const rowsAhead = 2

type Options = {
  list: Virtualizer<HTMLDivElement, Element>
  openId: string | undefined
  /** Index of the open task in the list; -1 if it is not listed. */
  openItem: number
  /** Height of a group header in pixels. One may cover the top of the list. */
  headerHeight: number
  onOpen: (taskId: string) => void
}

/**
 * Keeps the open row and its neighbors visible. Scrolls only when another task is opened, not when the list
 * changes. Returns the handler for clicked rows, which do not move away from the pointer.
 */
export function useScrollToOpen({ list, openId, openItem, headerHeight, onOpen }: Options) {
  const clickedId = useRef<string>(undefined)
  useEffect(() => {
    if (openItem >= 0)
      scrollToItem(list, openItem, headerHeight, clickedId.current === openId ? 0 : rowsAhead)
    clickedId.current = undefined
  }, [openId])
  return useCallback(
    (taskId: string) => {
      clickedId.current = taskId
      onOpen(taskId)
    },
    [onOpen],
  )
}

/**
 * Scrolls by the smallest distance. Row heights are known, so this avoids the forced layouts that the
 * virtualizer's `scrollToIndex` causes now and in the next frame.
 */
function scrollToItem(
  list: Virtualizer<HTMLDivElement, Element>,
  index: number,
  headerHeight: number,
  neighbors: number,
): void {
  const { scrollElement } = list
  const row = list.measurementsCache[index]
  if (!scrollElement || !row) return
  const height = list.scrollRect?.height ?? scrollElement.clientHeight
  const offset = list.scrollOffset ?? 0
  // A group header may separate the rows. If the list is too low for all of them, fewer neighbors are shown.
  const wanted = neighbors === 0 ? 0 : neighbors * row.size + headerHeight
  const margin = Math.max(0, Math.min(wanted, (height - headerHeight - row.size) / 2))
  const highest = Math.max(0, row.start - margin - headerHeight)
  const lowest = row.end + margin - height
  if (offset > highest) scrollElement.scrollTo({ top: highest })
  else if (offset < lowest) scrollElement.scrollTo({ top: lowest })
}
