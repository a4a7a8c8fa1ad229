import { useEffect } from 'react'

/** Closes a dialog on Back and Forward, which leave the page or the list that it belongs to. */
export function useCloseOnBack(onClose: () => void): void {
  useEffect(() => {
    const close = () => onClose()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [onClose])
}
