import { type RefObject, useLayoutEffect } from 'react'

/** The list, or the page if it has none. */
export const focusFallback = '[role=listbox], main, [role=main]'

/** If the element is unmounted while it contains the focus, focuses the target, or else the list or the page. */
export function useFocusHandoff(
  box: RefObject<HTMLElement | null>,
  target?: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const next = target?.current ?? document.querySelector<HTMLElement>(focusFallback)
      next?.focus({ preventScroll: true })
    }
  }, [box, target])
}
