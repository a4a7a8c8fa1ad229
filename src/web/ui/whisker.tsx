import { classes } from '../lib/classes.ts'
import styles from './whisker.module.css'

type Props = {
  value: number
  low: number
  high: number
  /** The value at the left edge. Default: 0. */
  min?: number
  /** The value at the right edge. */
  max: number
  /** The value at the dashed reference line. */
  referenceLine: number
  /** `accent`: the accent color. `few`: a hollow dot, because there are too few answers to rely on. */
  tone?: 'accent' | 'few' | undefined
  label: string
}

/** A measured value as a dot and its confidence interval as a line. */
export function Whisker({ value, low, high, min = 0, max, referenceLine, tone, label }: Props) {
  const x = (at: number) => `${((Math.max(min, Math.min(at, max)) - min) / (max - min)) * 100}%`
  return (
    <svg className={classes(styles.whisker, tone && styles[tone])} role="img" aria-label={label}>
      <line className={styles.track} x1="0" x2="100%" y1="10" y2="10" />
      <line className={styles.reference} x1={x(referenceLine)} x2={x(referenceLine)} y1="2" y2="18" />
      <line className={styles.interval} x1={x(low)} x2={x(high)} y1="10" y2="10" />
      <circle cx={x(value)} cy="10" r="4" />
    </svg>
  )
}
