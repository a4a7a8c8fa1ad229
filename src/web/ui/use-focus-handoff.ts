import { type RefObject, useLayoutEffect } from 'react'

/** If the element is unmounted while it contains the focus, focuses the list or the page. */
export function useFocusHandoff(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>('[role=listbox], main, [role=main]')?.focus({ preventScroll: true })
    }
  }, [box])
}
