import type { GetStatistics } from '../../../contract/statistics.ts'
import { addDays, countDays, startOfDay, today } from '../../lib/days.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

/** Days from and to, both included. */
export type Range = { from: string; to: string }

/** The chosen period. By default it ends today and has 30 days. */
export function rangeOf({ days, from, to }: StatisticsFilters): Range {
  const last = to ?? (from && from > today() ? from : today())
  return { from: from ?? addDays(last, 1 - Number(days ?? 30)), to: last }
}

/** The range of equal length that ends the day before this one begins. */
export function rangeBefore({ from, to }: Range): Range {
  return { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }
}

/** The service counts `to` to the end of its day. */
export function queryOf({ app, type, version, person }: StatisticsFilters, range: Range): GetStatistics {
  return { from: startOfDay(range.from), to: startOfDay(range.to), app, type, version, person }
}

/**
 * Filters of the Handled page that list the counted tasks. Most figures count only answers by
 * people; the list also has the tasks that standing rules and deadlines answered.
 */
export function countedTasks(
  { app, type, version, person }: StatisticsFilters,
  range: Range,
): HandledFilters {
  return { ...range, app, type, version, by: person }
}
