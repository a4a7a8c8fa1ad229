import { useEffect, useState } from 'react'

/**
 * The token is in the URL fragment, which browsers do not send to servers. Returns '' if it is
 * missing or malformed. Another link to the same page, pasted into its tab, changes the token
 * without loading the page again.
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
