import { useSyncExternalStore } from 'react'

// Made once: it is read with every drawing of those who use it.
let phone: MediaQueryList | undefined

/** The same width as in the style sheets. */
function phoneWidth(): MediaQueryList {
  phone ??= matchMedia('(max-width: 47.99rem)')
  return phone
}

function subscribe(listener: () => void) {
  phoneWidth().addEventListener('change', listener)
  return () => phoneWidth().removeEventListener('change', listener)
}

/** One pane at a time. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phoneWidth().matches)
}
