import { type RefObject, useLayoutEffect } from 'react'

/** Matches a list and the main part of the page. The first one in the document is focused. */
export const focusFallback = '[role=listbox], main, [role=main]'

/**
 * If the box is unmounted while it contains the focus, focuses the target; without a target, a list or
 * the main part of the page.
 */
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
