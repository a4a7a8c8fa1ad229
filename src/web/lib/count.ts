import { limits } from '../../contract/limits.ts'

const numberFormat = new Intl.NumberFormat()

/** "1,284" */
export function formatCount(n: number): string {
  return numberFormat.format(n)
}

/** "1 task", "1,284 tasks" */
export function pluralize(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`
}

/** "14", or "1,000+" where counting stopped. */
export function formatGroupCount(n: number): string {
  return n >= limits.countPerPriority ? `${formatCount(limits.countPerPriority)}+` : formatCount(n)
}

export function formatTotalCount(counts: { open: number; stopped: boolean }): string {
  return `${formatCount(counts.open)}${counts.stopped ? '+' : ''}`
}
