import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the heading of a new page if the clicked link was unmounted, because focus was lost with it. */
export function useFocusHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
