import { limits } from '../../../contract/limits.ts'
import type { GetStatistics } from '../../../contract/statistics.ts'
import { dayAfter, dayOf, lengthOf, startOfDay, today } from '../../lib/days.ts'
import type { HistoryFilters } from '../history/history-filters.ts'
import { isOneOf, textOf } from '../inbox/inbox-filters.ts'

export type StatisticsFilters = {
  /** Left out: 30, unless there are dates. */
  days?: '7' | '90' | undefined
  from?: string | undefined
  to?: string | undefined
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  person?: string | undefined
}

export type Range = { from: string; to: string }

export function readStatisticsFilters(search: Record<string, unknown>): StatisticsFilters {
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

export function rangeOf({ days, from, to }: StatisticsFilters): Range {
  const last = to ?? (from && from > today() ? from : today())
  return { from: from ?? dayAfter(last, 1 - Number(days ?? 30)), to: last }
}

/** As many days, just before. */
export function rangeBefore({ from, to }: Range): Range {
  return { from: dayAfter(from, -lengthOf(from, to)), to: dayAfter(from, -1) }
}

export function queryOf({ app, type, version, person }: StatisticsFilters, range: Range): GetStatistics {
  return { from: startOfDay(range.from), to: startOfDay(range.to), app, type, version, person }
}

/** The handled tasks that were counted. */
export function tasksBehind({ app, type, version, person }: StatisticsFilters, range: Range): HistoryFilters {
  return { ...range, app, type, version, by: person }
}
