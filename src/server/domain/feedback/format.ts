import { exactPercent } from '../../../contract/exact-percent.ts'
import type { Share } from './proportions.ts'

// Formats figures for English texts.

export function percent(share: number): string {
  const value = share * 100
  // One decimal near 0 and 100, unless it rounds to "0.0 %" or "100.0 %".
  const digits = (value >= 0.05 && value < 1) || (value > 99 && value < 99.95) ? 1 : 0
  return `${value.toFixed(digits)} %`
}

/** A difference of shares in percentage points, rounded up: "12 points". */
export function points(difference: number): string {
  return plural(Math.ceil(exactPercent(difference)), 'point')
}

/** "23–35 %" */
export function interval({ low, high }: Share): string {
  return `${percent(low).replace(' %', '')}–${percent(high)}`
}

/** "29 % (23–35 %)" */
export function withInterval(share: Share): string {
  return `${percent(share.share)} (${interval(share)})`
}

/** "29 % (23–35 %) of 214" */
export function ofHowMany(share: Share): string {
  return `${withInterval(share)} of ${count(share.n)}`
}

export function count(n: number): string {
  return n.toLocaleString('en')
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

export function formatPValue(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`
}

export function hasPValue(text: string): boolean {
  return /\bp [<=] [01]/.test(text)
}

/** Three significant digits, but at least the whole part. Not grouped: 2026 may be a year. */
export function number(value: number): string {
  return Math.abs(value) < 100
    ? value.toLocaleString('en', { maximumSignificantDigits: 3 })
    : String(Math.round(value))
}

/** The day in UTC. */
export function date(at: Date): string {
  return at.toISOString().slice(0, 10)
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
