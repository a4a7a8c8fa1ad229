import { useState } from 'react'

/**
 * The value of a field, replaced with the stored value when that changes. Unlike with a new `key`,
 * the field keeps the focus.
 */
export function useStoredValue<T>(stored: T) {
  const [value, setValue] = useState(stored)
  const [before, setBefore] = useState(stored)
  if (stored !== before) {
    setBefore(stored)
    setValue(stored)
  }
  return [value, setValue] as const
}
