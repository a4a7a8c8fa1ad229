import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time, whatever their lengths. */
export function sameText(one: string, other: string): boolean {
  return sameTextAs(one)(other)
}

/** Returns a comparison with one secret, which is hashed only once. */
export function sameTextAs(secret: string): (candidate: string) => boolean {
  const expected = digest(secret)
  return (candidate) => timingSafeEqual(expected, digest(candidate))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
