import { useEffect } from 'react'

/**
 * Focuses the content that replaces a dialog. Deferred, because the dialog restores focus in a
 * later task.
 */
export function useFocusAfterDialog(find: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => find()?.focus())
    return () => clearTimeout(timer)
  }, [])
}
