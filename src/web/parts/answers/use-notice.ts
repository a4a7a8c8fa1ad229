import { useEffect, useState } from 'react'

/** A notice that disappears after this time. */
export function useNotice<Notice = string>(milliseconds = 5_000) {
  const [notice, setNotice] = useState<Notice>()
  useEffect(() => {
    if (notice === undefined) return undefined
    const timer = setTimeout(() => setNotice(undefined), milliseconds)
    return () => clearTimeout(timer)
  }, [notice, milliseconds])
  return [notice, setNotice] as const
}
