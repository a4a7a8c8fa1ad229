import { useState } from 'react'

/** The token stands behind the "#", so that no server and no log on the way sees it. */
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
