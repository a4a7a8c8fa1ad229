import { useEffect, useState } from 'react'
import { canKeep } from '../../lib/answer-store.ts'

/** Whether this browser can keep answers that were not sent, such as not in some private windows. */
export function useCanKeep(): boolean {
  const [isKept, setKept] = useState(false)
  useEffect(() => void canKeep().then(setKept), [])
  return isKept
}
