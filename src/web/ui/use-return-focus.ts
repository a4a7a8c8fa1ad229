import { useState } from 'react'
import { focusFallback } from './use-focus-handoff.ts'

/**
 * Returns a function to call when a dialog closes. It focuses the element that had the focus when the
 * dialog opened; if that element is hidden or removed, a list or the main part of the page. Pass the
 * event of Radix, which is fired after the dialog was removed.
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
 * Whether the focus is in a dialog or menu that does not contain `target`. This is one that was opened
 * while another one closed. It must keep the focus, because a menu that loses the focus closes.
 */
export function isFocusInOverlay(target: Element | null = null): boolean {
  const overlay = document.activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]')
  return overlay != null && !overlay.contains(target)
}
