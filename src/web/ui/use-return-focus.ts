import { useState } from 'react'
import { focusFallback } from './use-focus-handoff.ts'

/** When a dialog closes, restores focus, or focuses the list or the page if the element is hidden or removed. */
export function useReturnFocus(): (event?: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event?.preventDefault()
    const candidates = [before, ...document.querySelectorAll(focusFallback)]
    const target = candidates.find((element) => element !== document.body && element?.checkVisibility())
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}
