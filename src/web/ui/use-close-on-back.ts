import { useEffect, useRef } from 'react'

/** Closes a dialog on Back and Forward, which leave the page or the list that it belongs to. */
export function useCloseOnBack(onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    // Not registered again when `onClose` changes: if the router renders during the same event, the
    // old listener would be removed before it is called.
    const close = () => latest.current()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [])
}
