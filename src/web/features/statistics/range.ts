import type { GetStatistics } from '../../../contract/statistics.ts'
import { dayAfter, lengthOf, startOfDay, today } from '../../lib/days.ts'
import type { HistoryFilters } from '../../parts/task-list/handled-filters.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

export type Range = { from: string; to: string }

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
