import { useEffect, useState } from 'react'

// After typing or editing has paused this long.
const debounceMilliseconds = 300

/** The value once it has not changed for a moment. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMilliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
