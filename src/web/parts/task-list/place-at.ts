import type { CSSProperties } from 'react'

/** Where a row of a virtual list stands. */
export function placeAt(start: number): CSSProperties {
  return { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start}px)` }
}
