// The server counts at most this many tasks per priority (`maxCountPerPriority` of the contract).
const maxCount = 1_000
const figure = new Intl.NumberFormat()

/** "14", or "1,000+" where counting stopped. */
export function formatGroupCount(n: number): string {
  return n >= maxCount ? `${figure.format(maxCount)}+` : figure.format(n)
}

export function formatTotalCount(counts: { open: number; stopped: boolean }): string {
  return `${figure.format(counts.open)}${counts.stopped ? '+' : ''}`
}

/** "1 task", "12 tasks". */
export function tasks(n: number): string {
  return `${figure.format(n)} ${n === 1 ? 'task' : 'tasks'}`
}
