import { durationParts } from '../lib/numbers.ts'

/** A measured time such as a median, with smaller units. */
export function DurationFigure({ seconds }: { seconds: number | null }) {
  if (seconds === null) return '–'
  return durationParts(seconds).map(({ amount, unit }) => (
    <span key={unit}>
      {amount}
      <small>{unit}</small>{' '}
    </span>
  ))
}
