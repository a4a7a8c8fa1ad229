import { classes } from '../../lib/classes.ts'
import { formatCount } from '../../lib/count.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './gauge.module.css'

type Props = {
  label: string
  value: number
  max: number
  /** A full bar is shown as a warning. */
  warnsWhenFull?: boolean
}

// A narrower bar would not be visible.
const minPercent = 1.5

/** A labelled bar that is full at `max`. */
export function Gauge({ label, value, max, warnsWhenFull = false }: Props) {
  const shown = Math.min(value, max)
  const text = `${format(shown)} of ${formatCount(max)}`
  return (
    <div className={classes(styles.bar, warnsWhenFull && shown >= max && styles.full)}>
      <div>
        <span>
          <bdi>{bidiSafe(label)}</bdi>
        </span>
        <span className="num">{text}</span>
      </div>
      <div className={styles.gauge} aria-hidden="true">
        {shown > 0 && <i style={{ width: `${Math.max(minPercent, (shown / max) * 100)}%` }} />}
      </div>
    </div>
  )
}

/** With one decimal below ten. Rounded down, so that the maximum is shown only if it is reached. */
function format(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0, roundingMode: 'floor' })
}
