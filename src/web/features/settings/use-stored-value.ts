import { useState } from 'react'

/**
 * The value of a form field, which starts with the stored value. A change of the stored value
 * replaces it. Unlike a new React `key`, this keeps the focus in the field.
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
