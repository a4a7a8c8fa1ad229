import { escapeBidi } from '../lib/escape-bidi.ts'
import { formatDuration } from '../lib/time.ts'
import { useNow } from '../lib/use-now.ts'
import { formatDate, isDate } from './format-date.ts'
import type { WidgetProps } from './registry.ts'
import widgetsStyles from './widgets.module.css'

// Numbers closer to zero are seconds: as milliseconds they would be dates between 1966 and 1973.
const minMillisecondTimestamp = 100_000_000_000

/**
 * A date or timestamp, formatted; a timestamp also relative to now. Numbers are Unix timestamps in
 * seconds or milliseconds.
 */
export function DateWidget({ value }: WidgetProps) {
  const now = useNow()
  const text = typeof value === 'number' ? isoFromEpoch(value) : value
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(text) || !isDate(text))
    throw new TypeError('date needs an ISO 8601 date or a Unix timestamp.')
  const isDay = text.length === 10
  const offset = Date.parse(text) - now
  const distance = formatDuration(Math.abs(offset))
  const isNow = Math.abs(offset) < 60_000
  return (
    <p className={widgetsStyles.shortValue}>
      <time dateTime={text} title={escapeBidi(String(value))}>
        {formatDate(text)}
      </time>
      {!isDay && !isNow && (
        <span className="text-ink-3"> · {offset > 0 ? `in ${distance}` : `${distance} ago`}</span>
      )}
    </p>
  )
}

function isoFromEpoch(value: number): string | undefined {
  const date = new Date(Math.abs(value) < minMillisecondTimestamp ? value * 1000 : value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
