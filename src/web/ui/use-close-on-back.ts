import { useEffect } from 'react'

/** Closes a dialog when the person goes back or forward in the browser, because it belongs to the page that they leave. */
export function useCloseOnBack(onClose: () => void): void {
  useEffect(() => {
    const close = () => onClose()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [onClose])
}
