import { limits } from '../../../contract/limits.ts'
import { dayOf, isOneOf, textOf } from '../../parts/task-list/inbox-filters.ts'

export type StatisticsFilters = {
  /** Defaults to 30 days unless `from` or `to` is set. */
  days?: '7' | '90' | undefined
  from?: string | undefined
  to?: string | undefined
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  person?: string | undefined
}

export function parseStatisticsFilters(search: Record<string, unknown>): StatisticsFilters {
  const from = dayOf(search.from)
  const to = dayOf(search.to)
  const hasDates = (from ?? to) !== undefined
  return {
    days: !hasDates && isOneOf(['7', '90'], search.days) ? (search.days as '7') : undefined,
    from,
    to,
    app: textOf(search.app, limits.app),
    type: textOf(search.type, limits.type),
    version: textOf(search.version, limits.version),
    person: textOf(search.person, limits.email),
  }
}
