/** A progress line on standard error, overwritten in a terminal and appended in a log. */
export function createProgress(row: string) {
  const startedAt = Date.now()
  return (text: string) => {
    const line = `${row}: ${text} (${Math.round((Date.now() - startedAt) / 1000)} s)`
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
