/** Values in hours, with labels. */
export const timeRanges = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['720', 'Last 30 days'],
] as const

/** For filters: '' means no filter. */
export const optionalTimeRanges = [['', 'Any time'], ...timeRanges] as const
