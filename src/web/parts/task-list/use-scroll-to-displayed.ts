import { useCallback, useEffect, useRef } from 'react'
import type { RowWindow } from './use-row-window.ts'

// This many rows stay visible before and after the displayed one.
const neighborRows = 2

type Options = {
  rowWindow: RowWindow
  displayedId: string | undefined
  /** Index of the displayed task among rows and section headers; -1 if it is not listed. */
  displayedIndex: number
  /** Height of a section header in pixels. A header may stick to the top of the list and cover rows. */
  headerHeight: number
  onOpen: (taskId: string) => void
}

/**
 * Scrolls the displayed row and its neighbors into view when another task is opened, not when the list
 * changes. Returns the handler for clicks: a clicked row is scrolled without its neighbors, so that
 * it stays under the pointer.
 */
export function useScrollToDisplayed({
  rowWindow,
  displayedId,
  displayedIndex,
  headerHeight,
  onOpen,
}: Options) {
  const clickedId = useRef<string>(undefined)
  useEffect(() => {
    if (displayedIndex >= 0)
      scrollToItem(
        rowWindow,
        displayedIndex,
        headerHeight,
        clickedId.current === displayedId ? 0 : neighborRows,
      )
    clickedId.current = undefined
  }, [displayedId])
  return useCallback(
    (taskId: string) => {
      clickedId.current = taskId
      onOpen(taskId)
    },
    [onOpen],
  )
}

/** Scrolls as little as possible to show the row and this many neighbors on both sides. */
function scrollToItem(rowWindow: RowWindow, index: number, headerHeight: number, neighbors: number): void {
  const start = rowWindow.offsets[index]
  const end = rowWindow.offsets[index + 1]
  if (start === undefined || end === undefined) return
  const { top, height } = rowWindow.view()
  const rowHeight = end - start
  // A section header may separate the rows. If the list is too short for all neighbors, fewer of them
  // are shown.
  const wanted = neighbors === 0 ? 0 : neighbors * rowHeight + headerHeight
  const margin = Math.max(0, Math.min(wanted, (height - headerHeight - rowHeight) / 2))
  const highest = Math.max(0, start - margin - headerHeight)
  const lowest = end + margin - height
  if (top > highest) rowWindow.scrollTo(highest)
  else if (top < lowest) rowWindow.scrollTo(lowest)
}
