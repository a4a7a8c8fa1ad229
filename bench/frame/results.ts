import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'
import type { Result } from './row.ts'

/** The results of one run of a row, with every round. */
export type Report = { row: string; at: string; quick: boolean; machine: Machine; results: Result[] }

const folder = 'bench/results'

/** Saves the report of one row in a file of its own. */
export function saveReport(report: Report): void {
  mkdirSync(folder, { recursive: true })
  const at = report.at.replace(/[:.]/g, '-')
  writeFileSync(`${folder}/${report.row}-${at}.json`, `${JSON.stringify(report, null, 2)}\n`)
}

/** The newest full report of each row, or the newest quick one if there is no full one. */
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
