import type { ReactNode } from 'react'
import type { Statistics } from '../../../contract/statistics.ts'
import { countDays } from '../../lib/days.ts'
import { formatAge } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { count, duration, durationParts, percent, signed } from './numbers.ts'
import { Sparkline } from './sparkline.tsx'
import statisticsStyles from './statistics.module.css'

type Props = { figures: Statistics; before: Statistics | undefined }

/** Six key figures, each compared with the period of equal length before. */
export function Figures({ figures, before }: Props) {
  const { answers, timeouts, negative, medianSeconds, p90Seconds, open, days, from, to } = figures
  const now = useNow()
  const length = countDays(from, to)
  return (
    <div className={statisticsStyles.figures}>
      <Figure name="Handled" value={count(answers)} days={days.map((day) => day.answers)}>
        {before && before.answers > 0 && (
          <>
            <b>{signed(answers / before.answers - 1, (size) => `${Math.round(size * 100)}\u00a0%`)}</b> vs.
            previous {length === 1 ? 'day' : `${length} days`}
          </>
        )}
      </Figure>
      <Figure
        name="Median time to answer"
        value={<Duration seconds={medianSeconds} />}
        days={days.map((day) => day.medianSeconds)}
      >
        <DurationChange now={medianSeconds} before={before?.medianSeconds} />
      </Figure>
      <Figure
        name="90th percentile time"
        value={<Duration seconds={p90Seconds} />}
        days={days.map((day) => day.p90Seconds)}
      >
        <DurationChange now={p90Seconds} before={before?.p90Seconds} />
      </Figure>
      <Figure name="Open now" value={`${count(open.count)}${open.stopped ? '+' : ''}`}>
        {open.oldestAt
          ? `Oldest: ${formatAge(open.oldestAt, now).replace('now', 'under 1 min')}`
          : 'No open tasks'}
      </Figure>
      <Figure
        name="Negative answers"
        value={answers > 0 ? <Percent share={negative.share} /> : '–'}
        days={days.map((day) => (day.answers > 0 ? day.negative / day.answers : null))}
      >
        {answers > 0 && before && before.answers > 0 && (
          <Change
            by={negative.share - before.negative.share}
            words={(size) => `${(size * 100).toFixed(1)} points`}
            threshold={0.0005}
          />
        )}
      </Figure>
      <Figure name="Decided by timeout" value={count(timeouts)} days={days.map((day) => day.timeouts)}>
        Not counted as feedback
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

function Duration({ seconds }: { seconds: number | null }) {
  if (seconds === null) return '–'
  return durationParts(seconds).map(({ amount, unit }) => (
    <span key={unit}>
      {amount}
      <small>{unit}</small>{' '}
    </span>
  ))
}

function Percent({ share }: { share: number }) {
  return (
    <>
      {percent(share).replace(/\s%$/, '')}
      <small>%</small>
    </>
  )
}

function DurationChange({ now, before }: { now: number | null; before: number | null | undefined }) {
  if (now === null || before === null || before === undefined) return null
  // Percentiles are accurate to about 10 %, so smaller changes are not shown.
  return <Change by={now - before} words={duration} threshold={before / 10} />
}

/** A decrease is an improvement for every figure that uses this. */
function Change({
  by,
  words,
  threshold,
}: {
  by: number
  words: (size: number) => string
  threshold: number
}) {
  if (Math.abs(by) < threshold) return 'No change'
  return <b className={by < 0 ? statisticsStyles.better : statisticsStyles.worse}>{signed(by, words)}</b>
}
