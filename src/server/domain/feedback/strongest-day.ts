/** With answers on fewer days, leaving one out would leave too little. */
export const minDays = 5

/** The day with the largest contribution. Undefined if there are too few days to leave one out. */
export function strongestOf(contributions: ReadonlyMap<number, number>): number | undefined {
  if (contributions.size < minDays) return undefined
  return [...contributions].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}
