import { useEffect } from 'react'
import { announce } from './announce.ts'

const pauseMilliseconds = 1_000

/** A change of each letter would interrupt what a screen reader says about the field. */
export function useAnnounceAfterPause(text: string): void {
  useEffect(() => {
    const timer = setTimeout(() => announce(text), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
}
