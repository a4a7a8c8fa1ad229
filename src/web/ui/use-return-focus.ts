import { useState } from 'react'
import { focusFallback } from './use-focus-handoff.ts'

/**
 * Returns a function to call when a dialog closes. It focuses the element that had the focus when
 * the dialog opened; if that is hidden or removed, a list or the main part of the page.
 */
export function useReturnFocus(): (event?: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event?.preventDefault()
    const candidates = [before, ...document.querySelectorAll(focusFallback)]
    const target = candidates.find((element) => element !== document.body && element?.checkVisibility())
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}
