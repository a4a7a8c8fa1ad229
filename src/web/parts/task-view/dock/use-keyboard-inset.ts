import { type RefObject, useEffect } from 'react'

/**
 * Keeps a sheet at the bottom above the on-screen keyboard, and the focused field in view. The
 * keyboard covers the page without changing the size of the window, so only the visual viewport
 * shows its height.
 */
export function useKeyboardInset(sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return undefined
    const follow = () => {
      const inset = Math.max(0, Math.round(window.innerHeight - viewport.height - viewport.offsetTop))
      sheet.current?.style.setProperty('--keyboard-inset', `${inset}px`)
      const focused = document.activeElement
      if (inset > 0 && focused !== sheet.current && sheet.current?.contains(focused))
        focused?.scrollIntoView({ block: 'nearest' })
    }
    follow()
    const events = ['resize', 'scroll'] as const
    for (const event of events) viewport.addEventListener(event, follow)
    return () => {
      for (const event of events) viewport.removeEventListener(event, follow)
    }
  }, [sheet])
}
