import { useEffect, useState } from 'react'

const noticeMilliseconds = 5_000

/** A notice that disappears after a few seconds. */
export function useNotice() {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    if (notice === undefined) return undefined
    const timer = setTimeout(() => setNotice(undefined), noticeMilliseconds)
    return () => clearTimeout(timer)
  }, [notice])
  return [notice, setNotice] as const
}
