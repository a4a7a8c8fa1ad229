import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatPercent, formatShortPercent } from '../../lib/numbers.ts'
import styles from './agreement-chart.module.css'
import { type AgreementPoint, agreementSeries, sampleTicks, shareScale } from './agreement-series.ts'
import frameStyles from './rules-frame.module.css'

type Props = { rule: Pick<RuleDetail, 'state' | 'judged' | 'samples' | 'allowedDisagreement'> }

/** How the share of samples that agreed has developed, with its lower 95 % bound. */
export function AgreementChart({ rule }: Props) {
  const { answered, agreed, atLeast } = rule.samples
  const points = agreementSeries(rule)
  return (
    <section>
      <h2>Agreement over time</h2>
      {answered === 0 || points.length === 0 ? (
        <p className={frameStyles.lead}>
          {rule.state === 'active'
            ? 'No samples counted yet. People still answer a share of the matching tasks. This chart will show how often they agree with the rule.'
            : 'No samples were counted.'}
        </p>
      ) : (
        <>
          <p className={frameStyles.lead}>
            People agreed in {formatCount(agreed)} of {pluralize(answered, 'sample')}:{' '}
            {formatPercent(agreed / answered)} (with 95 % confidence, at least {formatPercent(atLeast)}).
          </p>
          <Plot points={points} allowedDisagreement={rule.allowedDisagreement} />
          <p className={styles.legend}>
            Samples in the order in which they were compared. Shaded: 95 % confidence. Rings: disagreements,
            including cancelled, revised and expired tasks.
          </p>
          <PointsTable points={points} />
        </>
      )}
    </section>
  )
}

type PlotProps = { points: AgreementPoint[]; allowedDisagreement: number }

function Plot({ points, allowedDisagreement }: PlotProps) {
  const { low, ticks } = shareScale(points, allowedDisagreement)
  const newest = points.at(-1)!
  const firstSample = points[0]!.samples
  const span = Math.max(1, newest.samples - firstSample)
  // In percent of the plot.
  const x = (samples: number) => (points.length === 1 ? 100 : ((samples - firstSample) / span) * 100)
  const y = (share: number) => ((1 - Math.max(low, share)) / (1 - low)) * 100
  const line = (shareOf: (point: AgreementPoint) => number, ordered = points) =>
    ordered.map((point) => `${x(point.samples).toFixed(2)},${y(shareOf(point)).toFixed(2)}`).join(' ')
  const shares = line(({ share }) => share)
  const boundOf = ({ atLeast }: AgreementPoint) => atLeast
  const allowed = 1 - allowedDisagreement
  return (
    <div className={styles.frame}>
      <svg
        role="img"
        aria-label={`Agreement after ${samplesLabel(firstSample, newest.samples)}, with its lower 95 % bound`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1="0" x2="100%" y1={`${y(tick)}%`} y2={`${y(tick)}%`} />
            <text x="-8" y={`${y(tick)}%`} dy="4" textAnchor="end">
              {formatShortPercent(tick)}
            </text>
          </g>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polygon className={styles.band} points={`${shares} ${line(boundOf, points.toReversed())}`} />
          <polyline className={styles.bound} points={line(boundOf)} />
          <polyline className={styles.line} points={shares} />
        </svg>
        <line className={styles.limit} x1="0" x2="100%" y1={`${y(allowed)}%`} y2={`${y(allowed)}%`} />
        <text x="100%" y={`${y(allowed)}%`} dy="14" textAnchor="end">
          Lowest allowed: {formatShortPercent(allowed)}
        </text>
        {points
          .filter(({ disagrees }) => disagrees)
          .map(({ samples, share }) => (
            <circle
              key={samples}
              className={styles.disagreement}
              cx={`${x(samples)}%`}
              cy={`${y(share)}%`}
              r="4"
            />
          ))}
        <circle className={styles.newest} cx={`${x(newest.samples)}%`} cy={`${y(newest.share)}%`} r="4" />
        {sampleTicks(firstSample, newest.samples).map((tick) => (
          <text key={tick} x={`${x(tick)}%`} y="100%" dy="18" textAnchor="middle">
            {formatCount(tick)}
          </text>
        ))}
      </svg>
    </div>
  )
}

function samplesLabel(first: number, last: number): string {
  return first === last
    ? `sample ${formatCount(last)}`
    : `samples ${formatCount(first)} to ${formatCount(last)}`
}

const maxRows = 30

/** The chart in numbers for screen readers: the latest disagreements and the newest sample. */
function PointsTable({ points }: { points: AgreementPoint[] }) {
  const all = points.filter(({ disagrees }, n) => disagrees || n === points.length - 1)
  const rows = all.slice(-maxRows)
  return (
    // The box is hidden instead of the table, whose caption would make narrow pages scroll sideways.
    <div className="sr-only">
      <table>
        <caption>
          Agreement at{' '}
          {rows.length < all.length ? 'the latest disagreements' : 'each disagreement in the chart'} and now
        </caption>
        <thead>
          <tr>
            <th scope="col">Samples</th>
            <th scope="col">Agreed</th>
            <th scope="col">Share</th>
            <th scope="col">At least</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ samples, agreed, share, atLeast }) => (
            <tr key={samples}>
              <td>{formatCount(samples)}</td>
              <td>{formatCount(agreed)}</td>
              <td>{formatPercent(share)}</td>
              <td>{formatPercent(atLeast)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
