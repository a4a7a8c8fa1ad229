import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time, whatever their lengths. */
export function sameText(one: string, other: string): boolean {
  return sameTextAs(one)(other)
}

/** The same for one secret that many are compared with. */
export function sameTextAs(secret: string): (given: string) => boolean {
  const expected = digest(secret)
  return (given) => timingSafeEqual(expected, digest(given))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
