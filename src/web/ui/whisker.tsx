import { classes } from '../lib/classes.ts'
import styles from './whisker.module.css'

type Props = {
  share: number
  low: number
  high: number
  /** The share at the left edge. Default: 0. */
  min?: number
  /** The share at the right edge. */
  max: number
  /** Position of the dashed reference line. */
  referenceLine: number
  tone?: 'now' | 'few' | undefined
  label: string
}

/** A share as a dot and its confidence interval as a line. Hollow if there are few answers. */
export function Whisker({ share, low, high, min = 0, max, referenceLine, tone, label }: Props) {
  const x = (value: number) => `${((Math.max(min, Math.min(value, max)) - min) / (max - min)) * 100}%`
  return (
    <svg className={classes(styles.whisker, tone && styles[tone])} role="img" aria-label={label}>
      <line className={styles.track} x1="0" x2="100%" y1="10" y2="10" />
      <line className={styles.limit} x1={x(referenceLine)} x2={x(referenceLine)} y1="2" y2="18" />
      <line className={styles.interval} x1={x(low)} x2={x(high)} y1="10" y2="10" />
      <circle cx={x(share)} cy="10" r="4" />
    </svg>
  )
}
