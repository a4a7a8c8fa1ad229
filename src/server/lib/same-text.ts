import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time, whatever their lengths. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
