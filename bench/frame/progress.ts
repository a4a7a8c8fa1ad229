/** One line on standard error that says what is going on: written over on a screen, line by line in a log. */
export function createProgress(row: string) {
  const began = Date.now()
  return (text: string) => {
    const line = `${row}: ${text} (${Math.round((Date.now() - began) / 1000)} s)`
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
