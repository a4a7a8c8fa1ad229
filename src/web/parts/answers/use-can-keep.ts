import { useEffect, useState } from 'react'
import { canKeep } from '../../lib/answer-store.ts'

/** Whether this browser can store unsent answers; false in some private windows. */
export function useCanKeep(): boolean {
  const [canStore, setCanStore] = useState(false)
  useEffect(() => void canKeep().then(setCanStore), [])
  return canStore
}
