import { usePreference } from '../../lib/preferences.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'

/** Heights of the rows and group headers of a virtual list, in pixels. The tokens of the style sheet are in rem. */
export function useRowHeights(): { isCompact: boolean; rowHeight: number; headerHeight: number } {
  const isPhone = useIsPhone()
  const isCompact = usePreference('density') === 'compact' && !isPhone
  const style = getComputedStyle(document.documentElement)
  const heightOf = (token: string) =>
    Number.parseFloat(style.getPropertyValue(token)) * Number.parseFloat(style.fontSize)
  const row = isPhone ? '--row-phone' : isCompact ? '--row-compact' : '--row'
  return { isCompact, rowHeight: heightOf(row), headerHeight: heightOf('--row-header') }
}
