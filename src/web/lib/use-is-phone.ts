import { useSyncExternalStore } from 'react'

// Created once because every render of a component using it reads it.
let phone: MediaQueryList | undefined

/** The same breakpoint as in the style sheets. */
function phoneWidth(): MediaQueryList {
  phone ??= matchMedia('(max-width: 47.99rem)')
  return phone
}

function subscribe(listener: () => void) {
  phoneWidth().addEventListener('change', listener)
  return () => phoneWidth().removeEventListener('change', listener)
}

/** True if only one pane is shown at a time. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phoneWidth().matches)
}
