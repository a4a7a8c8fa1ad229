import type { InboxFilters } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { parseOneOf, parseText } from '../../lib/search-params.ts'
import { priorityLabels } from '../../ui/priority-mark.tsx'

export type { InboxFilters }

/** Parses filters from the URL. Invalid values are dropped, because old links must keep working. */
export function parseInboxFilters(search: Record<string, unknown>): InboxFilters {
  return {
    // Set even if undefined: omitted keys would keep their value from the URL.
    app: parseText(search.app, limits.app),
    type: parseText(search.type, limits.type),
    priority: parseOneOf(Object.keys(priorityLabels) as Priority[], search.priority),
    assigned: parseOneOf(['me', 'none'], search.assigned),
    late: parseOneOf(['true'], search.late),
    snoozed: parseOneOf(['true'], search.snoozed),
    q: parseText(search.q, limits.query),
  }
}

export const noInboxFilters: InboxFilters = parseInboxFilters({})

/** The tasks that are assigned to the person or to one of their groups. */
export const forMe: InboxFilters = { ...noInboxFilters, assigned: 'me' }

export function isSameFilter(one: InboxFilters, other: InboxFilters): boolean {
  return (Object.keys(noInboxFilters) as (keyof InboxFilters)[]).every((name) => one[name] === other[name])
}

/**
 * The search parameters of the inbox. If none is set, the inbox opens with the list that the
 * person last chose.
 */
export type InboxSearch = InboxFilters & { view?: 'all' | undefined }

export function parseInboxSearch(search: Record<string, unknown>): InboxSearch {
  return { ...parseInboxFilters(search), view: parseOneOf(['all'], search.view) }
}

/** The search parameters for these filters. If none is set, `view` asks for all tasks explicitly. */
export function searchOf(filters: InboxFilters): InboxSearch {
  return { ...filters, view: isFiltered(filters) ? undefined : 'all' }
}

export function isFiltered(filters: InboxFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
