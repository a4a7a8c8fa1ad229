import type { ReportProgress } from '../server/backup/progress.ts'

const logIntervalMilliseconds = 5_000
const redrawIntervalMilliseconds = 200 // on a terminal

const clearLine = '\r\x1b[K'

/** On a terminal, redraws one line and clears it at the end. Elsewhere, writes a line every five seconds. */
export function createProgressReporter(): ReportProgress {
  const { isTTY } = process.stderr
  const interval = isTTY ? redrawIntervalMilliseconds : logIntervalMilliseconds
  let lastAt: number | undefined
  return ({ table, done, tables, rows, bytes }) => {
    const isComplete = done === tables
    lastAt ??= Date.now()
    if (isTTY && isComplete) process.stderr.write(clearLine)
    else if (Date.now() - lastAt >= interval) {
      lastAt = Date.now()
      const where = isComplete ? '' : ` (${table})`
      const line = `  ${done} of ${tables} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)}${where}`
      process.stderr.write(isTTY ? clearLine + line : `${line}\n`)
    }
  }
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** In MB, or in kB below 0.1 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 100_000) return `${Math.round(bytes / 1_000)} kB`
  const megabytes = bytes / 1_000_000
  return `${megabytes.toLocaleString('en', { maximumFractionDigits: megabytes < 10 ? 1 : 0 })} MB`
}
