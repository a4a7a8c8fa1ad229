import type { ReportProgress } from '../server/backup/progress.ts'

const lineEveryMilliseconds = 5_000 // in a log
const redrawMilliseconds = 200 // on a terminal

/** One line that is written over on a terminal; a line now and then in a log. */
export function createProgressReporter(): ReportProgress {
  const { isTTY } = process.stderr
  let last: number | undefined
  return ({ table, done, tables, rows, bytes }) => {
    last ??= Date.now()
    const isOver = done === tables
    const pause = isTTY ? redrawMilliseconds : lineEveryMilliseconds
    if (Date.now() - last < pause && !(isOver && isTTY)) return
    last = Date.now()
    const line = `${done} of ${tables} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)}`
    const where = isOver ? '' : ` (${table})`
    process.stderr.write(
      isTTY ? `\r\x1b[K  ${line}${where}${isOver ? '\r\x1b[K' : ''}` : `  ${line}${where}\n`,
    )
  }
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** MB, and kB where there are few of them. */
export function formatBytes(bytes: number): string {
  if (bytes < 100_000) return `${Math.ceil(bytes / 1_000)} kB`
  const megabytes = bytes / 1_000_000
  return `${megabytes.toLocaleString('en', { maximumFractionDigits: megabytes < 10 ? 1 : 0 })} MB`
}
