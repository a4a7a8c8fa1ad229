import { useEffect, useState } from 'react'
import { canStore } from '../../lib/answer-store.ts'

/** Whether this browser can store unsent answers; false in some private windows. */
export function useCanStore(): boolean {
  const [isAvailable, setAvailable] = useState(false)
  useEffect(() => void canStore().then(setAvailable), [])
  return isAvailable
}
