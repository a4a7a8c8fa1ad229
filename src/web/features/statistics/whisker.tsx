import { classes } from '../../lib/classes.ts'
import styles from './whisker.module.css'

type Props = {
  share: number
  low: number
  high: number
  /** The share at the right edge. */
  top: number
  /** Position of the dashed reference line. */
  line: number
  tone?: 'now' | 'few' | undefined
  label: string
}

/** A share as a dot and its confidence interval as a line. Hollow if there are few answers. */
export function Whisker({ share, low, high, top, line, tone, label }: Props) {
  const at = (value: number) => `${(Math.min(value, top) / top) * 100}%`
  return (
    <svg className={classes(styles.whisker, tone && styles[tone])} role="img" aria-label={label}>
      <line className={styles.track} x1="0" x2="100%" y1="10" y2="10" />
      <line className={styles.limit} x1={at(line)} x2={at(line)} y1="2" y2="18" />
      <line className={styles.interval} x1={at(low)} x2={at(high)} y1="10" y2="10" />
      <circle cx={at(share)} cy="10" r="4" />
    </svg>
  )
}
