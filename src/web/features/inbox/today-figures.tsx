import type { ReactNode } from 'react'
import { exactPercent } from '../../../contract/exact-percent.ts'
import type { InboxToday } from '../../../contract/inbox.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatTimeOfDay } from '../../lib/dates.ts'
import { formatSeconds } from '../../lib/numbers.ts'
import { DurationFigure } from '../../ui/duration-figure.tsx'
import styles from './today-figures.module.css'

const hour = 3_600_000
const minHours = 6
// The share of an hour that is left free on each side of its bar.
const barGap = 0.08

type Props = {
  today: InboxToday
  /** Midnight in the person's time zone. */
  since: string
  now: number
}

/** Four figures of today, and arrivals against answers per hour. */
export default function TodayFigures({ today, since, now }: Props) {
  const { handled, handledByMe, medianSeconds, medianSecondsBefore, arrived } = today
  const { handledBeforeDeadline, missed } = today
  const { hasMoreAnswers, hasMoreArrivals } = today
  const moreAnswers = hasMoreAnswers ? '+' : ''
  const withDeadline = handledBeforeDeadline + missed
  return (
    <>
      <dl className={styles.figures}>
        <Figure label="You answered" value={`${formatCount(handledByMe)}${moreAnswers}`}>
          of {formatCount(handled)}
          {moreAnswers} in the workspace
        </Figure>
        <Figure label="Median time" value={<DurationFigure seconds={medianSeconds} />}>
          {medianSecondsBefore === null
            ? 'from arrival to answer'
            : `${formatSeconds(medianSecondsBefore)} the week before`}
        </Figure>
        <Figure
          label="Before the deadline"
          {...(withDeadline === 0
            ? { value: '–' }
            : { value: formatShare(handledBeforeDeadline / withDeadline), unit: '%' })}
        >
          {missed === 0 ? 'no deadline passed' : `${pluralize(missed, 'deadline')} passed`}
        </Figure>
        <Figure label="Arrived" value={`${formatCount(arrived)}${hasMoreArrivals ? '+' : ''}`}>
          {/* Only if all arrivals and answers were counted. */}
          {!hasMoreAnswers && !hasMoreArrivals && compareWithAnswered(arrived - handled)}
        </Figure>
      </dl>
      <HoursChart hours={today.hours} since={since} now={now} />
    </>
  )
}

type FigureProps = { label: string; value: ReactNode; unit?: string; children: ReactNode }

function Figure({ label, value, unit, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.value}>
        {value}
        {unit && <small>{unit}</small>}
      </dd>
      {children && <dd className={styles.note}>{children}</dd>}
    </div>
  )
}

/**
 * Answers as bars and arrivals as a line, from the first hour of today that has any, but at least the
 * last six hours of today. Renders nothing without answers and arrivals.
 */
function HoursChart({ hours, since, now }: { hours: InboxToday['hours']; since: string; now: number }) {
  const firstActive = hours.findIndex((counts) => counts.arrived + counts.handled > 0)
  if (firstActive < 0) return null
  const timeOf = (n: number) => formatTimeOfDay(new Date(Date.parse(since) + n * hour).toISOString())
  const end = Math.max(hours.length, Math.floor((now - Date.parse(since)) / hour) + 1)
  const start = Math.max(0, Math.min(firstActive, end - minHours))
  const shown = Array.from({ length: end - start }, (_, n) => hours[start + n] ?? { arrived: 0, handled: 0 })
  const busiest = shown.reduce((best, { arrived }, n) => (arrived > shown[best]!.arrived ? n : best), 0)
  const maxArrived = shown[busiest]!.arrived
  const mostArrivals =
    maxArrived === 0
      ? ''
      : ` Most arrivals: ${formatCount(maxArrived)} in the hour from ${timeOf(start + busiest)}.`
  const most = Math.max(1, ...shown.map(({ arrived, handled }) => Math.max(arrived, handled)))
  // In percent of the plot.
  const width = 100 / shown.length
  const heightOf = (count: number) => (count / most) * 100
  const line = shown.flatMap(({ arrived }, n) => {
    const y = 100 - heightOf(arrived)
    return [`${n * width},${y}`, `${(n + 1) * width},${y}`]
  })
  return (
    <figure className={styles.flow}>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Arrivals and answers per hour, ${timeOf(start)} to ${timeOf(end)}.${mostArrivals}`}
      >
        {shown.map(({ handled }, n) => (
          <rect
            key={start + n}
            x={(n + barGap) * width}
            y={100 - heightOf(handled)}
            width={(1 - 2 * barGap) * width}
            height={heightOf(handled)}
            rx=".3"
          />
        ))}
        <polyline points={line.join(' ')} />
      </svg>
      <div className={styles.axis} aria-hidden="true">
        {[start, Math.round((start + end) / 2), end].map((n) => (
          <span key={n}>{timeOf(n)}</span>
        ))}
      </div>
      <ul className={styles.legend}>
        <li>
          <span className={styles.bar} />
          Answered
        </li>
        <li>
          <span className={styles.line} />
          Arrived
        </li>
      </ul>
    </figure>
  )
}

function compareWithAnswered(surplus: number): string {
  if (surplus === 0) return 'as many as answered'
  return `${formatCount(Math.abs(surplus))} ${surplus > 0 ? 'more' : 'fewer'} than answered`
}

/** In percent, rounded down, so that it is 100 only if no deadline passed. */
function formatShare(share: number): string {
  return String(Math.floor(exactPercent(share)))
}
