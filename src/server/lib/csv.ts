import { escapeFormula } from '../../contract/escape-formula.ts'

/** A line in the format of RFC 4180. Every cell is quoted, and formulas are escaped. */
export function csvLine(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  return `"${escapeFormula(text).replaceAll('"', '""')}"`
}
