import type { GetStatistics } from '../../../contract/statistics.ts'
import { addDays, countDays, startOfDay, today } from '../../lib/days.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

/** Days from and to, both included. */
export type DayRange = { from: string; to: string }

/** The chosen period. By default, it is the 30 days that end today. */
export function rangeOf({ days, from, to }: StatisticsFilters): DayRange {
  // If `from` is in the future, the range is that one day.
  const last = to ?? (from && from > today() ? from : today())
  return { from: from ?? addDays(last, 1 - Number(days ?? 30)), to: last }
}

/** The range of equal length that ends the day before this one begins. */
export function rangeBefore({ from, to }: DayRange): DayRange {
  return { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }
}

/** The request for these filters. The service counts answers until the end of the day of `to`. */
export function statisticsQueryOf(
  { app, type, version, person }: StatisticsFilters,
  range: DayRange,
): GetStatistics {
  return { from: startOfDay(range.from), to: startOfDay(range.to), app, type, version, person }
}

/**
 * Filters with which the Handled page lists the counted tasks. The list also has tasks that standing
 * rules and deadlines answered, while most figures count only answers by people.
 */
export function filtersOfCountedTasks(
  { app, type, version, person }: StatisticsFilters,
  range: DayRange,
): HandledFilters {
  return { ...range, app, type, version, by: person }
}
