/** A share in percent that can be rounded up or down: as doubles, 0.07 * 100 is 7.000000000000001. */
export function exactPercent(share: number): number {
  return Number((share * 100).toFixed(9))
}
