import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { formatDate, isDate } from './format-date.ts'
import widgetsStyles from './widgets.module.css'

export function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object'
}

const maxShortLength = 160

export function isShort(value: unknown): boolean {
  return typeof value !== 'string' || (value.length <= maxShortLength && !/[\n\r]/.test(value))
}

const webUrl = /^https?:\/\/[^\s"'<>\\^`{|}]+$/i
const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** One short value. Numbers are not formatted: an order number must not get digit groups. */
export function Scalar({ value }: { value: string | number | boolean | null }) {
  if (value === null) return <span className={widgetsStyles.nothing}>None</span>
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return <span className="num">{String(value)}</span>
  if (value === '') return <span className={widgetsStyles.nothing}>Empty text</span>
  if (webUrl.test(value) && URL.canParse(value)) {
    return (
      <a className="link" href={value} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{bidiSafe(value)}</bdi>
      </a>
    )
  }
  if (isoDate.test(value) && isDate(value)) {
    return (
      <time dateTime={value} title={escapeBidi(value)}>
        {formatDate(value)}
      </time>
    )
  }
  return <bdi>{bidiSafe(value)}</bdi>
}

/** Whether all values of an object are short scalars. */
export function isFlat(object: object): boolean {
  return Object.values(object).every((value) => isScalar(value) && isShort(value))
}
