import type { CSSProperties } from 'react'

/** Positions a row of a virtual list. */
export function positionRow(start: number): CSSProperties {
  return { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start}px)` }
}
