import { useMemo } from 'react'
import { usePreference } from '../../lib/preferences.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'

/**
 * Heights of the rows and group headers of a virtual list, in pixels. The tokens of the style sheet
 * are in rem.
 */
export function useRowHeights(): { isCompact: boolean; rowHeight: number; headerHeight: number } {
  const isPhone = useIsPhone()
  const isCompact = usePreference('density') === 'compact' && !isPhone
  const row = isPhone ? '--row-phone' : isCompact ? '--row-compact' : '--row'
  return useMemo(
    () => ({ isCompact, rowHeight: heightOf(row), headerHeight: heightOf('--row-header') }),
    [isCompact, row],
  )
}

/** In pixels. The browser may have to compute styles for this, so it is not called on every render. */
function heightOf(token: string): number {
  const style = getComputedStyle(document.documentElement)
  return Number.parseFloat(style.getPropertyValue(token)) * Number.parseFloat(style.fontSize)
}
