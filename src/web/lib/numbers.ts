import { exactPercent } from '../../contract/exact-percent.ts'
import { formatCount, pluralize } from './count.ts'

const nonBreakingSpace = '\u00a0'

/** "850", "1.5K": short enough for an axis. */
export function formatShortCount(n: number): string {
  return n.toLocaleString(undefined, { notation: 'compact' })
}

/** A number with at most one decimal. */
export function formatNumber(n: number): string {
  return n.toLocaleString(undefined, { maximumFractionDigits: 1 })
}

/** "14.2 %", with one decimal except for 0 % and 100 %. */
export function formatPercent(share: number): string {
  const digits = share >= 0.9995 || share === 0 ? 0 : 1
  return `${(share * 100).toLocaleString(undefined, { maximumFractionDigits: digits, minimumFractionDigits: digits })}${nonBreakingSpace}%`
}

/** "2 %", "2.5 %": with at most one decimal. */
export function formatShortPercent(share: number): string {
  return `${Number((share * 100).toFixed(1)).toLocaleString()}${nonBreakingSpace}%`
}

/** 0.125 becomes 12.5: for fields that are entered in percent. */
export function toPercent(share: number): number {
  return Number((share * 100).toFixed(2))
}

/** A difference of shares in percentage points, rounded up: "12 points". */
export function formatPoints(difference: number): string {
  return pluralize(Math.ceil(exactPercent(difference)), 'point')
}

/** "6–12 %" */
export function formatInterval(low: number, high: number): string {
  return `${Math.round(low * 100)}–${Math.round(high * 100)}${nonBreakingSpace}%`
}

export type DurationPart = { amount: number; unit: 'd' | 'h' | 'min' | 's' }

/**
 * At least 1 s. At most two units, the second only below ten of the first: 6 min 12 s, 41 min, 2 h
 * 5 min.
 */
export function durationParts(seconds: number): DurationPart[] {
  const whole = Math.max(1, Math.round(seconds))
  if (whole < 60) return [{ amount: whole, unit: 's' }]
  if (whole < 3_600) return twoParts(whole, 60, 'min', 's')
  const minutes = Math.round(whole / 60)
  if (minutes < 1_440) return twoParts(minutes, 60, 'h', 'min')
  return twoParts(Math.round(minutes / 60), 24, 'd', 'h')
}

function twoParts(
  amount: number,
  size: number,
  unit: DurationPart['unit'],
  smaller: DurationPart['unit'],
): DurationPart[] {
  const large = { amount: Math.floor(amount / size), unit }
  const rest = amount % size
  return rest === 0 || large.amount >= 10 ? [large] : [large, { amount: rest, unit: smaller }]
}

/** A measured time such as a median: "6 min 12 s". */
export function formatSeconds(seconds: number): string {
  return durationParts(seconds)
    .map(({ amount, unit }) => `${formatCount(amount)}${nonBreakingSpace}${unit}`)
    .join(' ')
}

/** A single unit, for axes: "34 min". */
export function formatShortSeconds(seconds: number): string {
  const [first] = durationParts(seconds)
  if (!first) return ''
  const unitSeconds = { s: 1, min: 60, h: 3_600, d: 86_400 }[first.unit]
  return `${formatCount(Math.round(seconds / unitSeconds))}${nonBreakingSpace}${first.unit}`
}

/**
 * "+8 %", "−3.1", "0": with the typographic minus sign. An amount that `format` rounds to 0 keeps
 * its sign: "+0".
 */
export function formatSigned(amount: number, format: (size: number) => string): string {
  return `${amount < 0 ? '−' : amount > 0 ? '+' : ''}${format(Math.abs(amount))}`
}
