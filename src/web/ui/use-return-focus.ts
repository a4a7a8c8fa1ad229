import { useState } from 'react'
import { focusFallback } from './use-focus-handoff.ts'

/**
 * Returns a function to call when a dialog closes. It focuses the element that had the focus when
 * the dialog opened; if that is hidden or removed, a list or the main part of the page. Called with
 * Radix's event, which comes after the dialog was removed.
 */
export function useReturnFocus(): (event?: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event?.preventDefault()
    if (event && isFocusInOverlay(before)) return
    const candidates = [before, ...document.querySelectorAll(focusFallback)]
    const target = candidates.find((element) => element !== document.body && element?.checkVisibility())
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}

/**
 * Whether a dialog or menu that does not contain `target` has the focus: one that was opened while
 * another closed. A menu that loses the focus closes.
 */
export function isFocusInOverlay(target: Element | null = null): boolean {
  const overlay = document.activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]')
  return overlay != null && !overlay.contains(target)
}
