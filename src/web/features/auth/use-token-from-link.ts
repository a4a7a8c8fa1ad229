import { useEffect, useState } from 'react'

/**
 * The token in the URL fragment, which browsers do not send to servers. '' if it is missing or
 * malformed. If another link to the same page is opened in the same tab, only the fragment changes
 * and the page is not loaded again.
 */
export function useTokenFromLink(): string {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    const update = () => setToken(readToken())
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])
  return token
}

function readToken(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}
