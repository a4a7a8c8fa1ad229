import { limits } from '../../../contract/limits.ts'
import { parseDay, parseOneOf, parseText } from '../../lib/search-params.ts'

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
  const from = parseDay(search.from)
  const to = parseDay(search.to)
  const hasDates = (from ?? to) !== undefined
  return {
    days: hasDates ? undefined : parseOneOf(['7', '90'], search.days),
    from,
    to,
    app: parseText(search.app, limits.app),
    type: parseText(search.type, limits.type),
    version: parseText(search.version, limits.version),
    person: parseText(search.person, limits.email),
  }
}
