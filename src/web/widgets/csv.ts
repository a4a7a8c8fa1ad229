import { isScalar } from './scalar.tsx'

/** Rows as RFC 4180. Text that a spreadsheet would run as a formula is prefixed with a quote. */
export function toCsv(rows: unknown[][]): string {
  return rows.map((row) => row.map(formatCell).join(',')).join('\r\n')
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = isScalar(value) ? String(value) : JSON.stringify(value)
  const escaped = /^[\s\0]*[=+\-@|%\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
