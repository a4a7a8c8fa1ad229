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

/** "14", or "1,000+" from 1,000, where counting stops. */
export function formatSectionCount(n: number): string {
  return n >= limits.countPerPriority ? `${formatCount(limits.countPerPriority)}+` : formatCount(n)
}

/** "14", or "1,284+" if there are more. */
export function formatTotalCount(counts: { open: number; hasMore: boolean }): string {
  return `${formatCount(counts.open)}${counts.hasMore ? '+' : ''}`
}
