import { useEffect } from 'react'

/**
 * Focuses content that replaces a dialog, when it is mounted. Deferred, because the dialog restores
 * the focus in a timeout after it is removed.
 */
export function useFocusAfterDialog(find: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => find()?.focus())
    return () => clearTimeout(timer)
  }, [])
}
