import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

// In this file, section headers count as rows too.

// Rows rendered before and after the visible ones, so that scrolling shows no gap.
const overscan = 8

export type RowWindow = {
  /** Indices of the first and the last visible row. */
  first: number
  last: number
  /** The top of each row in pixels, and at the end the height of the list. */
  offsets: readonly number[]
  /** The visible part of the list in pixels. Reading it forces no layout. */
  view: () => { top: number; height: number }
  scrollTo: (top: number) => void
}

/**
 * The window of a scrolled list whose row heights are known: which rows are visible, and where each
 * one is.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): RowWindow {
  const offsets = useMemo(() => offsetsOf(heights), [heights])
  // Until the list is measured, it is assumed to be as high as the window.
  const view = useRef({ top: 0, height: window.innerHeight })
  const [, rerender] = useState({})
  const range = rangeOf(offsets, view.current)
  const rendered = useRef({ offsets, range })
  rendered.current = { offsets, range }

  const changeView = useCallback((changed: { top?: number; height?: number }) => {
    view.current = { ...view.current, ...changed }
    const { offsets, range } = rendered.current
    const { first, last } = rangeOf(offsets, view.current)
    if (first !== range.first || last !== range.last) rerender({})
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    changeView({ height: element.clientHeight || window.innerHeight })
    // Rendered before the frame is painted; otherwise fast scrolling would show an empty list.
    const readView = () =>
      flushSync(() => changeView({ top: Math.max(0, element.scrollTop), height: element.clientHeight }))
    const observer = new ResizeObserver(readView)
    observer.observe(element)
    element.addEventListener('scroll', readView, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', readView)
    }
  }, [scroller, changeView])

  const scrollTo = useCallback(
    (wanted: number) => {
      // A hidden list, for example on a phone while a task is displayed, cannot be scrolled.
      if (view.current.height === 0) return
      const listHeight = rendered.current.offsets.at(-1) ?? 0
      const top = Math.max(0, Math.min(wanted, listHeight - view.current.height))
      scroller.current?.scrollTo({ top })
      changeView({ top })
    },
    [scroller, changeView],
  )
  return { ...range, offsets, view: () => view.current, scrollTo }
}

/** Indices of the rows to render, ascending: the visible ones, some around them, and `always`. */
export function rowsToRender({ first, last, offsets }: RowWindow, always: readonly number[] = []): number[] {
  const count = offsets.length - 1
  const start = Math.max(0, first - overscan)
  const end = Math.min(count - 1, last + overscan)
  const around = Array.from({ length: Math.max(0, end - start + 1) }, (_, n) => start + n)
  const others = always.filter((n) => n >= 0 && n < count && (n < start || n > end))
  return [...new Set([...around, ...others])].sort((a, b) => a - b)
}

function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0]
  let offset = 0
  for (const height of heights) {
    offset += height
    offsets.push(offset)
  }
  return offsets
}

function rangeOf(
  offsets: readonly number[],
  { top, height }: { top: number; height: number },
): { first: number; last: number } {
  return { first: rowAt(offsets, top), last: rowAt(offsets, top + height) }
}

/** The row at this distance from the top of the list, by binary search. */
function rowAt(offsets: readonly number[], distance: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((offsets[middle] ?? 0) <= distance) low = middle
    else high = middle - 1
  }
  return low
}
