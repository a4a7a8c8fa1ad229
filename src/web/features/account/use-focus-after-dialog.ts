import { useEffect } from 'react'

/** For what takes the place of a dialog, which gives the focus back in a task of its own. */
export function useFocusAfterDialog(find: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const timer = setTimeout(() => find()?.focus())
    return () => clearTimeout(timer)
  }, [])
}
