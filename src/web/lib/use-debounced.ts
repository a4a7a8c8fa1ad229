import { useEffect, useState } from 'react'

/** The value once typing or editing has paused this long. */
export function useDebounced(value: string, milliseconds = 300): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
