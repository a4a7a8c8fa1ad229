import type { AnalysisFinding } from '../../../../contract/feedback-analysis.ts'
import { classes } from '../../../lib/classes.ts'
import { formatCount } from '../../../lib/count.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { formatInterval, formatPercent } from '../../../lib/numbers.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { chartMax } from './describe-result.ts'
import styles from './finding-chart.module.css'

type Chart = NonNullable<AnalysisFinding['chart']>
type Bar = Chart['bars'][number]

/**
 * Shares as bars, with their 95 % intervals as lines. Screen readers get the counts and intervals
 * as text.
 */
export function FindingChart({ chart: { title, bars } }: { chart: Chart }) {
  const max = chartMax(bars)
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>
          <bdi>{bidiSafe(title)}</bdi>
        </span>
        <span>0 – {Math.round(max * 100)}&nbsp;%</span>
      </figcaption>
      <ul>
        {bars.map((bar, n) => (
          <li key={n} title={`${escapeBidi(bar.label)}: ${details(bar)}`}>
            <span className={styles.label}>
              <bdi>{bidiSafe(bar.label)}</bdi>
            </span>
            <Track bar={bar} max={max} />
            <span className={styles.share}>
              {formatPercent(bar.share)}
              <span className="sr-only">, {details(bar)}</span>
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function Track({ bar: { share, low, high, isMarked }, max }: { bar: Bar; max: number }) {
  const x = (value: number) => `${(Math.min(value, max) / max) * 100}%`
  const line = { x1: x(low), x2: x(high), y1: 6, y2: 6 }
  return (
    <svg className={classes(styles.track, isMarked && styles.marked)} aria-hidden="true">
      <rect width={x(share)} height="12" rx="2" />
      <line className={styles.halo} {...line} />
      <line {...line} />
    </svg>
  )
}

function details({ count, n, low, high }: Bar): string {
  return `${formatCount(count)} of ${formatCount(n)}, 95 % interval ${formatInterval(low, high)}`
}
