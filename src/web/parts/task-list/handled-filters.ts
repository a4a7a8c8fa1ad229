import { limits } from '../../../contract/limits.ts'
import { dayOf, isOneOf, textOf } from './inbox-filters.ts'

export const statusLabels = { handled: 'Handled', cancelled: 'Cancelled', expired: 'Expired' }
export const periodLabels = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' }

export type HandledFilters = {
  /** Default: handled. */
  status?: 'cancelled' | 'expired' | undefined
  /** "me" or an email address. */
  by?: string | undefined
  action?: string | undefined
  when?: keyof typeof periodLabels | undefined
  /** UTC days, as in the statistics. */
  from?: string | undefined
  to?: string | undefined
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  q?: string | undefined
}

export function parseHandledFilters(search: Record<string, unknown>): HandledFilters {
  const { status, when } = search
  return dropIncompatibleFilters({
    status: isOneOf(['cancelled', 'expired'], status) ? (status as 'cancelled') : undefined,
    by: textOf(search.by, limits.email),
    action: textOf(search.action, limits.actionId),
    when: isOneOf(Object.keys(periodLabels), when) ? (when as 'today') : undefined,
    from: dayOf(search.from),
    to: dayOf(search.to),
    app: textOf(search.app, limits.app),
    type: textOf(search.type, limits.type),
    version: textOf(search.version, limits.version),
    q: textOf(search.q, limits.query),
  })
}

/** Person, action and time filters apply only to handled tasks and cannot be combined with a search. */
export function dropIncompatibleFilters(filters: HandledFilters): HandledFilters {
  if (filters.q === undefined && filters.status === undefined) return filters
  const { status, app, type, q } = filters
  return { ...noHandledFilters, status, app, type, q }
}

export const noHandledFilters: HandledFilters = parseHandledFilters({})
