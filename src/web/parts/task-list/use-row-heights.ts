import { useMemo } from 'react'
import { usePreference } from '../../lib/preferences.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'

/** Heights of the rows and section headers of a virtual list, in pixels. */
export function useRowHeights(): { isCompact: boolean; rowHeight: number; headerHeight: number } {
  const isPhone = useIsPhone()
  const isCompact = usePreference('density') === 'compact' && !isPhone
  const row = isPhone ? '--row-phone' : isCompact ? '--row-compact' : '--row'
  return useMemo(
    () => ({ isCompact, rowHeight: heightOf(row), headerHeight: heightOf('--row-header') }),
    [isCompact, row],
  )
}

/**
 * The value of a token in pixels. In the style sheet it is in rem. The browser may have to compute
 * styles for this, so it is not called on every render.
 */
function heightOf(token: string): number {
  const style = getComputedStyle(document.documentElement)
  return Number.parseFloat(style.getPropertyValue(token)) * Number.parseFloat(style.fontSize)
}
