import { useState } from 'react'

/** The token is in the URL fragment, which is never sent to servers or written to logs. */
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
