import { useEffect } from 'react'
import { announce } from './announce.ts'

const pauseMilliseconds = 1_000

/**
 * Announces the text once it has stopped changing, so that screen readers are not interrupted at
 * each letter.
 */
export function useAnnounceAfterPause(text: string): void {
  useEffect(() => {
    const timer = setTimeout(() => announce(text), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
}
