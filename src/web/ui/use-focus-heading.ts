import { type RefObject, useEffect, useRef } from 'react'
import { focusIfLost } from './focus-if-lost.ts'

/** Focuses the heading of a new page if the clicked link was unmounted, because focus was lost with it. */
export function useFocusHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => focusIfLost(heading.current), [])
  return heading
}
