import type { GetStatistics } from '../../../contract/statistics.ts'
import { addDays, countDays, startOfDay, today } from '../../lib/days.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

export type Range = { from: string; to: string }

export function rangeOf({ days, from, to }: StatisticsFilters): Range {
  const last = to ?? (from && from > today() ? from : today())
  return { from: from ?? addDays(last, 1 - Number(days ?? 30)), to: last }
}

/** The period of equal length that ends the day before. */
export function rangeBefore({ from, to }: Range): Range {
  return { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }
}

export function queryOf({ app, type, version, person }: StatisticsFilters, range: Range): GetStatistics {
  return { from: startOfDay(range.from), to: startOfDay(range.to), app, type, version, person }
}

/** Filters of the Handled page that list the counted tasks. */
export function countedTasks(
  { app, type, version, person }: StatisticsFilters,
  range: Range,
): HandledFilters {
  return { ...range, app, type, version, by: person }
}
