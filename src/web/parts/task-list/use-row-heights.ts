import { usePreference } from '../../lib/preferences.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'

// In rem, so that rows grow with the font size. Must match the style sheet.
const rowRem = { comfortable: 3.75, compact: 2.5, phone: 4.25 }
const headerRem = 1.75

/** Heights of the rows and group headers of a virtual list, in pixels. */
export function useRowHeights(): { isCompact: boolean; rowHeight: number; headerHeight: number } {
  const isPhone = useIsPhone()
  const isCompact = usePreference('density') === 'compact' && !isPhone
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const density = isPhone ? 'phone' : isCompact ? 'compact' : 'comfortable'
  return { isCompact, rowHeight: rowRem[density] * rem, headerHeight: headerRem * rem }
}
