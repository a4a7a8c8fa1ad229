import { useState } from 'react'

/** The value of a field. It becomes the stored one when that changes, without a new element that would lose the focus. */
export function useStoredValue<T>(stored: T) {
  const [value, setValue] = useState(stored)
  const [before, setBefore] = useState(stored)
  if (stored !== before) {
    setBefore(stored)
    setValue(stored)
  }
  return [value, setValue] as const
}
