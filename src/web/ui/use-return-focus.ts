import { useState } from 'react'

/** When a dialog closes, restores focus, or focuses the list or the page if that element is gone. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    const places = [before, ...document.querySelectorAll('[role=listbox], main, [role=main]')]
    const place = places.find((element) => element !== document.body && element?.checkVisibility())
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
}
