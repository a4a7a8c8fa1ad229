import { useState } from 'react'

/** When a dialog closes, focus goes back to where it was; when that is gone, to the list or the page. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    const places = [before, ...document.querySelectorAll('[role=listbox], main, [role=main]')]
    const place = places.find((element) => element !== document.body && element?.checkVisibility())
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
}
