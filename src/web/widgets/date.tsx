import { plain } from '../lib/plain-text.ts'
import { dateInWords, span } from '../lib/time.ts'
import { useNow } from '../lib/use-now.ts'
import type { WidgetProps } from './registry.ts'

// Before this a number counts seconds: milliseconds would lie in 1970.
const leastMilliseconds = 100_000_000_000

/** A day or a moment, in words and how far away. Numbers count seconds or milliseconds since 1970. */
export function DateWidget({ value }: WidgetProps) {
  const now = useNow()
  const text = typeof value === 'number' ? fromNumber(value) : value
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(Date.parse(text)))
    throw new TypeError('date needs an ISO 8601 date.')
  const isDay = text.length === 10
  const away = Date.parse(text) - now
  const distance = span(Math.abs(away))
  return (
    <p className="short-value">
      <time dateTime={text} title={plain(String(value))}>
        {dateInWords(text)}
      </time>
      {!isDay && distance !== 'now' && (
        <span className="text-ink-3"> · {away > 0 ? `in ${distance}` : `${distance} ago`}</span>
      )}
    </p>
  )
}

function fromNumber(value: number): string | undefined {
  const date = new Date(Math.abs(value) < leastMilliseconds ? value * 1000 : value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
