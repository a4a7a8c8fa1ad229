import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { queryOf, type Range, rangeBefore, rangeOf } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'

const staleTimeMilliseconds = 30_000

/**
 * The statistics for the filters: of their period, and of the period of equal length before it.
 * `previous` is undefined until both are loaded, so that they are of the same filters.
 */
export function useStatistics(filters: StatisticsFilters) {
  const range = rangeOf(filters)
  const current = useFigures(filters, range)
  const { data, isPlaceholderData } = useFigures(filters, rangeBefore(range))
  return { range, current, previous: current.isPlaceholderData || isPlaceholderData ? undefined : data }
}

/**
 * Filter options: those with the most answers in the period. Types are those of the chosen app,
 * versions those of the chosen app and type. The filters for version and person do not limit them,
 * so that the person can choose another one.
 */
export function useFilterOptions({ app, type }: StatisticsFilters, range: Range) {
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

/** The apps and types with answers in the period, of this app or type if set. Undefined until loaded. */
export function useAppsAndTypes({ app, type }: StatisticsFilters, range: Range) {
  const { data, isPlaceholderData } = useFigures({ app, type }, range)
  // Until they are loaded, `data` may be that of other filters, which lists only the most frequent.
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

function useFigures(filters: StatisticsFilters, range: Range, enabled = true) {
  const { api, workspaceId } = useWorkspace()
  const query = queryOf(filters, range)
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
