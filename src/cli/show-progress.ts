import type { ReportProgress } from '../server/backup/progress.ts'

const logIntervalMilliseconds = 5_000
const redrawIntervalMilliseconds = 200 // on a terminal

/** Redraws one line on a terminal; writes a line every few seconds to a log. */
export function createProgressReporter(): ReportProgress {
  const { isTTY } = process.stderr
  let last: number | undefined
  return ({ table, done, tables, rows, bytes }) => {
    last ??= Date.now()
    const isComplete = done === tables
    const interval = isTTY ? redrawIntervalMilliseconds : logIntervalMilliseconds
    if (Date.now() - last < interval && !(isComplete && isTTY)) return
    last = Date.now()
    const line = `${done} of ${tables} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)}`
    const where = isComplete ? '' : ` (${table})`
    process.stderr.write(
      isTTY ? `\r\x1b[K  ${line}${where}${isComplete ? '\r\x1b[K' : ''}` : `  ${line}${where}\n`,
    )
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
