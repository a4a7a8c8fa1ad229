import type { ReactNode } from 'react'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount } from '../../lib/count.ts'
import { countDays } from '../../lib/days.ts'
import { formatPercent, formatSeconds, formatSigned } from '../../lib/numbers.ts'
import { formatDuration } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { DurationFigure } from '../../ui/duration-figure.tsx'
import { Sparkline } from './sparkline.tsx'
import statisticsStyles from './statistics.module.css'

type Props = { figures: Statistics; previous: Statistics | undefined }

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

/** Six key figures. Four are compared with the previous period of equal length. */
export function Figures({ figures, previous }: Props) {
  const { answers, timeouts, rules, negative, medianSeconds, p90Seconds, open, days, from, to } = figures
  const now = useNow()
  const length = countDays(from, to)
  return (
    <div className={statisticsStyles.figures}>
      <Figure name="Answered by people" value={formatCount(answers)} days={days.map((day) => day.answers)}>
        {previous && previous.answers > 0 && (
          <>
            <b>
              {formatSigned(
                Math.round((answers / previous.answers - 1) * 100),
                (size) => `${formatCount(size)}\u00a0%`,
              )}
            </b>{' '}
            vs. previous {length === 1 ? 'day' : `${length} days`}
          </>
        )}
      </Figure>
      <Figure
        name="Median time to answer"
        value={<DurationFigure seconds={medianSeconds} />}
        days={days.map((day) => day.medianSeconds)}
      >
        <DurationChange current={medianSeconds} previous={previous?.medianSeconds} />
      </Figure>
      <Figure
        name="90th percentile time"
        value={<DurationFigure seconds={p90Seconds} />}
        days={days.map((day) => day.p90Seconds)}
      >
        <DurationChange current={p90Seconds} previous={previous?.p90Seconds} />
      </Figure>
      <Figure name="Open now" value={`${formatCount(open.count)}${open.hasMore ? '+' : ''}`}>
        {open.oldestAt ? `Oldest: ${formatDuration(now - Date.parse(open.oldestAt))}` : 'No open tasks'}
      </Figure>
      <Figure
        name="Negative answers"
        value={answers > 0 ? <Percent share={negative.share} /> : '–'}
        days={days.map((day) => (day.answers > 0 ? day.negative / day.answers : null))}
      >
        {answers > 0 && previous && previous.answers > 0 && (
          <Change
            difference={negative.share - previous.negative.share}
            format={(size) => `${(size * 100).toLocaleString(undefined, oneDecimal)} points`}
            threshold={0.0005}
          />
        )}
      </Figure>
      <Figure
        name="Answered at the deadline"
        value={formatCount(timeouts)}
        days={days.map((day) => day.timeouts)}
      >
        Not counted as feedback
        {rules > 0 && (
          <>
            <br />
            <b>{formatCount(rules)}</b> more answered by rules
          </>
        )}
      </Figure>
    </div>
  )
}

type FigureProps = { name: string; value: ReactNode; days?: (number | null)[]; children: ReactNode }

function Figure({ name, value, days, children }: FigureProps) {
  return (
    <div className={statisticsStyles.stat}>
      <h2>{name}</h2>
      <p className={statisticsStyles.value}>{value}</p>
      <p className={statisticsStyles.delta}>{children}</p>
      {days && <Sparkline values={days} />}
    </div>
  )
}

function Percent({ share }: { share: number }) {
  return (
    <>
      {formatPercent(share).replace(/\s%$/, '')}
      <small>%</small>
    </>
  )
}

type DurationChangeProps = { current: number | null; previous: number | null | undefined }

function DurationChange({ current, previous }: DurationChangeProps) {
  if (current === null || previous === null || previous === undefined) return null
  // Percentiles are accurate to about 10 %, so smaller differences count as no change.
  return <Change difference={current - previous} format={formatSeconds} threshold={previous / 10} />
}

/** The change of a figure for which less is better. */
function Change({
  difference,
  format,
  threshold,
}: {
  difference: number
  format: (size: number) => string
  threshold: number
}) {
  if (Math.abs(difference) <= threshold) return 'No change'
  return (
    <b className={difference < 0 ? statisticsStyles.better : statisticsStyles.worse}>
      {formatSigned(difference, format)}
    </b>
  )
}
