import { useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** One pane at a time; the same width as in the style sheets. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 47.99rem)')
}
