import { useMedia } from './use-media.ts'

/** True if only one pane is shown at a time. The same breakpoint as in the style sheets. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 47.99rem)')
}
