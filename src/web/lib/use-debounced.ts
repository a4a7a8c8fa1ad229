import { useEffect, useState } from 'react'

/** The last value that stayed unchanged for this long, at first the initial one. */
export function useDebounced(value: string, milliseconds = 300): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
