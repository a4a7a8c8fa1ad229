import statisticsStyles from './statistics.module.css'

// In px. Must match the height in the style sheet.
const height = 28
const padding = 3

/** Daily values as a line that skips days without a value. Decorative, so hidden from screen readers. */
export function Sparkline({ values }: { values: (number | null)[] }) {
  const points = values.flatMap((value, day) => (value === null ? [] : [{ day, value }]))
  const max = Math.max(...points.map(({ value }) => value))
  if (points.length < 2 || max === 0) return <div className={statisticsStyles.spark} />
  const x = (day: number) => (day / (values.length - 1)) * 100
  const y = (value: number) => height - padding - (value / max) * (height - 2 * padding)
  const line = points.map(({ day, value }, n) => `${n === 0 ? 'M' : 'L'}${x(day)} ${y(value)}`).join('')
  const [first, last] = [points[0]!, points.at(-1)!]
  return (
    <div className={statisticsStyles.spark}>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          className={statisticsStyles.area}
          d={`${line}L${x(last.day)} ${height}L${x(first.day)} ${height}Z`}
        />
        <path d={line} />
      </svg>
      <i style={{ left: `${x(last.day)}%`, top: y(last.value) }} />
    </div>
  )
}
