import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type DayRange, rangeBefore, rangeOf, statisticsQueryOf } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

const staleTimeMilliseconds = 30_000

/**
 * The statistics for the filters (`current`), and for the period of equal length before theirs
 * (`previous`). While either is still loading after a change of the filters, `previous` is
 * undefined, because the two would be of different filters.
 */
export function useStatistics(filters: StatisticsFilters) {
  const range = rangeOf(filters)
  const current = useFigures(filters, range)
  const { data, isPlaceholderData } = useFigures(filters, rangeBefore(range))
  return { range, current, previous: current.isPlaceholderData || isPlaceholderData ? undefined : data }
}

/**
 * The options of the filters: apps, types, versions and people with the most answers in the period.
 * If an app is chosen, only its types are listed; versions are listed once both app and type are
 * chosen. The chosen version and person do not limit the options, so that another can be chosen.
 */
export function useFilterOptions({ app, type }: StatisticsFilters, range: DayRange) {
  const all = useFigures({}, range).data
  const hasBoth = app !== undefined && type !== undefined
  const ofBoth = useFigures({ app, type }, range, hasBoth).data
  const pairs = all?.pairs ?? []
  return {
    pairs,
    apps: unique(pairs.map((pair) => pair.app)),
    types: unique(pairs.filter((pair) => app === undefined || pair.app === app).map((pair) => pair.type)),
    versions: hasBoth ? (ofBoth?.versions.map(({ version }) => version) ?? []) : [],
    people: all?.people.map(({ person }) => person) ?? [],
  }
}

/**
 * The apps and types with answers in the period: all, or those of the given app or type. Undefined
 * until they are loaded.
 */
export function useAppsAndTypes({ app, type }: StatisticsFilters, range: DayRange) {
  const { data, isPlaceholderData } = useFigures({ app, type }, range)
  // While loading, `data` is still of the earlier filters. It lists only the most frequent apps and
  // types, so if none of them fits, there may be others.
  const pairs = data?.pairs.filter(
    (pair) => (app ?? pair.app) === pair.app && (type ?? pair.type) === pair.type,
  )
  return isPlaceholderData && pairs?.length === 0 ? undefined : pairs
}

/** The actions of an app and type in the last 30 days, the period of an analysis. */
export function useActionsOf({ app, type }: AppAndType) {
  const { data, isPlaceholderData } = useFigures({ app, type }, rangeOf({}))
  return isPlaceholderData ? undefined : data?.details?.actions
}

function useFigures(filters: StatisticsFilters, range: DayRange, enabled = true) {
  const { api, workspaceId } = useWorkspace()
  const query = statisticsQueryOf(filters, range)
  return useQuery({
    queryKey: ['statistics', workspaceId, query],
    queryFn: ({ signal }) => api.statistics(query, signal),
    placeholderData: keepPreviousData,
    staleTime: staleTimeMilliseconds,
    refetchOnWindowFocus: true,
    enabled,
  })
}

function unique(values: string[]): string[] {
  return [...new Set(values)].sort()
}
