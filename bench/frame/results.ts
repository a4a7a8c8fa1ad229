import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'
import type { Result } from './row.ts'

/** One run of a row, with every round. */
export type Report = { row: string; at: string; quick: boolean; machine: Machine; results: Result[] }

const folder = 'bench/results'

/** Called after each row, so that a later failure loses nothing. */
export function saveReport(report: Report): void {
  mkdirSync(folder, { recursive: true })
  const at = report.at.replace(/[:.]/g, '-')
  writeFileSync(`${folder}/${report.row}-${at}.json`, `${JSON.stringify(report, null, 2)}\n`)
}

/** The newest report per row; a quick one only if there is no other. */
export function newestReports(): Report[] {
  const newest = new Map<string, Report>()
  for (const report of allReports()) {
    const known = newest.get(report.row)
    if (!known || known.quick || !report.quick) newest.set(report.row, report)
  }
  return [...newest.values()]
}

/** Oldest first. */
function allReports(): Report[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name): Report => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')))
    .sort((one, other) => one.at.localeCompare(other.at))
}
