import { type RefObject, useEffect, useRef } from 'react'
import { focusIfLost } from './focus-if-lost.ts'

/** Focuses the heading of a new page if the focus was lost, because the clicked link was unmounted. */
export function useFocusHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => focusIfLost(heading.current), [])
  return heading
}
