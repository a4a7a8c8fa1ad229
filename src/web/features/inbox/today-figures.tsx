import type { ReactNode } from 'react'
import { exactPercent } from '../../../contract/exact-percent.ts'
import type { InboxToday } from '../../../contract/inbox.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatSeconds } from '../../lib/numbers.ts'
import { formatTime } from '../../lib/time.ts'
import { DurationFigure } from '../../ui/duration-figure.tsx'
import styles from './today-figures.module.css'

const hour = 3_600_000
const minHours = 6
const plotHeight = 84

type Props = {
  today: InboxToday
  /** Midnight in the person's time zone. */
  since: string
  now: number
}

/** Four figures of today, and arrivals against answers per hour. */
export default function TodayFigures({ today, since, now }: Props) {
  const { handled, handledByMe, medianSeconds, medianSecondsBefore, missed, arrived, stopped } = today
  const more = stopped ? '+' : ''
  const ended = handled + missed
  return (
    <>
      <dl className={styles.figures}>
        <Figure label="You answered" value={formatCount(handledByMe)}>
          of {formatCount(handled)}
          {more} in the workspace
        </Figure>
        <Figure label="Median time" value={<DurationFigure seconds={medianSeconds} />}>
          {medianSecondsBefore === null
            ? 'from arrival to answer'
            : `${formatSeconds(medianSecondsBefore)} the week before`}
        </Figure>
        <Figure
          label="Before the deadline"
          {...(ended === 0 ? { value: '–' } : { value: formatShare(handled / ended), unit: '%' })}
        >
          {missed === 0 ? 'no deadline passed' : `${pluralize(missed, 'deadline')} passed`}
        </Figure>
        <Figure label="Arrived" value={`${formatCount(arrived)}${more}`}>
          {!stopped && compareWithAnswered(arrived - handled)}
        </Figure>
      </dl>
      {today.hours.length > 0 && <HoursChart hours={today.hours} since={since} now={now} />}
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

function HoursChart({ hours, since, now }: { hours: InboxToday['hours']; since: string; now: number }) {
  const timeOf = (n: number) => formatTime(new Date(Date.parse(since) + n * hour).toISOString(), now)
  const end = Math.max(hours.length, Math.floor((now - Date.parse(since)) / hour) + 1)
  const firstActive = hours.findIndex((counts) => counts.arrived + counts.handled > 0)
  const start = Math.max(0, Math.min(firstActive, end - minHours))
  const shown = Array.from({ length: end - start }, (_, n) => hours[start + n] ?? { arrived: 0, handled: 0 })
  const busiest = shown.reduce((best, { arrived }, n) => (arrived > shown[best]!.arrived ? n : best), 0)
  const most = Math.max(1, ...shown.map(({ arrived, handled }) => Math.max(arrived, handled)))
  const width = 100 / shown.length
  const heightOf = (count: number) => (count / most) * plotHeight
  const line = shown.flatMap(({ arrived }, n) => {
    const y = plotHeight - heightOf(arrived)
    return [`${n * width},${y}`, `${(n + 1) * width},${y}`]
  })
  return (
    <figure className={styles.flow}>
      <svg
        viewBox={`0 0 100 ${plotHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Tasks that arrived and were answered per hour, ${timeOf(start)} to ${timeOf(end)}. Most arrived after ${timeOf(start + busiest)}: ${shown[busiest]!.arrived}.`}
      >
        {shown.map(({ handled }, n) => (
          <rect
            key={start + n}
            x={(n + 0.08) * width}
            y={plotHeight - heightOf(handled)}
            width={0.84 * width}
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

/** Only if all were counted. */
function compareWithAnswered(surplus: number): string {
  if (surplus === 0) return 'as many as answered'
  return `${formatCount(Math.abs(surplus))} ${surplus > 0 ? 'more' : 'fewer'} than answered`
}

/** Rounded down: 100 only if all were answered. */
function formatShare(share: number): string {
  return String(Math.floor(exactPercent(share)))
}
