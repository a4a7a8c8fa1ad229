import type { InboxFilters } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { priorityLabels } from '../../ui/priority-mark.tsx'

export type { InboxFilters }

/** Parses filters from the URL. Invalid values are dropped, because old links must keep working. */
export function parseInboxFilters(search: Record<string, unknown>): InboxFilters {
  const { priority, assigned } = search
  return {
    // Set even if undefined: omitted keys would keep their value from the URL.
    app: textOf(search.app, limits.app),
    type: textOf(search.type, limits.type),
    priority: isOneOf(Object.keys(priorityLabels), priority) ? (priority as 'urgent') : undefined,
    assigned: isOneOf(['me', 'none'], assigned) ? (assigned as 'me') : undefined,
    q: textOf(search.q, limits.query),
  }
}

export const noInboxFilters: InboxFilters = parseInboxFilters({})

export function isFiltered(filters: InboxFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

export function textOf(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value : undefined
}

export function isOneOf(values: string[], value: unknown): value is string {
  return typeof value === 'string' && values.includes(value)
}

/** Parses a day such as "2026-11-05". */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  return Number.isNaN(Date.parse(value)) ? undefined : value
}
