import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'
import type { Result } from './row.ts'

/** One row as it was measured once, with every round. */
export type Report = { row: string; at: string; quick: boolean; machine: Machine; results: Result[] }

const folder = 'bench/results'

/** Each row is kept as soon as it is there, so that one that fails later takes nothing along. */
export function keep(report: Report): void {
  mkdirSync(folder, { recursive: true })
  const at = report.at.replace(/[:.]/g, '-')
  writeFileSync(`${folder}/${report.row}-${at}.json`, `${JSON.stringify(report, null, 2)}\n`)
}

/** The last report of each row; a quick one only where there is no other. */
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
