import { useState } from 'react'

/**
 * The token is in the URL fragment, which browsers do not send to servers. Returns '' if it is
 * missing or malformed.
 */
export function useTokenFromLink(): string {
  const [token] = useState(() => {
    try {
      return decodeURIComponent(location.hash.slice(1))
    } catch {
      return ''
    }
  })
  return token
}
