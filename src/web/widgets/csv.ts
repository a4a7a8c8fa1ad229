import { escapeFormula } from '../../contract/escape-formula.ts'
import { isScalar } from './scalar.tsx'

/** Rows as CSV (RFC 4180). Texts that a spreadsheet would run as formulas are escaped. */
export function toCsv(rows: unknown[][]): string {
  return rows.map((row) => row.map(formatCell).join(',')).join('\r\n')
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = isScalar(value) ? String(value) : JSON.stringify(value)
  const escaped = escapeFormula(text)
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
