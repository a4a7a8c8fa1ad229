import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TaskStatus } from '../../../contract/task-fields.ts'
import type { MemberTaskPage } from '../../../contract/task-list.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import { answerQuery } from './answer-query.ts'

const pageSize = 50

/**
 * Ended tasks, page by page. The API can sort handled tasks by the time of their answer. It sorts
 * cancelled and expired tasks and search results by creation.
 */
export function useHandledTasks(filters: HandledFilters) {
  const { api, me, workspaceId } = useWorkspace()
  const status: TaskStatus = filters.status ?? 'handled'
  const { action, app, type, version, q } = filters
  const sortedBy: 'handledAt' | 'createdAt' =
    q === undefined && status === 'handled' ? 'handledAt' : 'createdAt'
  const query = useInfiniteQuery({
    queryKey: ['handled', workspaceId, filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page = { status, app, type, version, limit: pageSize, cursor }
      const answerFilters = { actionId: action, ...answerQuery(filters, me.person.email) }
      const load = () => {
        if (q !== undefined) return api.searchTasks({ ...page, ...answerFilters, query: q }, signal)
        return sortedBy === 'handledAt'
          ? api.listTasks({ ...page, ...answerFilters, sort: sortedBy }, signal)
          : api.listTasks(page, signal)
      }
      return { ...(await load()), sortedBy }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  })
  const tasks = useMemo(() => unique(query.data?.pages.flatMap((page) => page.tasks) ?? []), [query.data])
  return {
    tasks,
    /** The order of these tasks, which may still be the results of the previous filters. */
    sortedBy: query.data?.pages[0]?.sortedBy ?? sortedBy,
    isLoading: query.isPending,
    /** False while the results of the previous filters are still shown. */
    isCurrent: query.isSuccess && !query.isPlaceholderData,
    problem: query.error ? asProblem(query.error) : undefined,
    hasMore: query.hasNextPage,
    /**
     * After a failure, only `reload` requests the next page again: the list calls this on every
     * render near its end.
     */
    loadMore() {
      if (!query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage()
    },
    reload: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  }
}

/** Removes duplicates: pages may overlap if tasks were answered between their requests. */
function unique(tasks: MemberTaskPage['tasks']): MemberTaskPage['tasks'] {
  return [...new Map(tasks.map((task) => [task.taskId, task])).values()]
}
