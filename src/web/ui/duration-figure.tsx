import { durationParts } from '../lib/numbers.ts'

/** A duration, for example a median, with its units in smaller type. */
export function DurationFigure({ seconds }: { seconds: number | null }) {
  if (seconds === null) return '–'
  return durationParts(seconds).map(({ amount, unit }) => (
    <span key={unit}>
      {amount}
      <small>{unit}</small>{' '}
    </span>
  ))
}
