import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InboxCounts } from '../../contract/inbox.ts'
import { useWorkspace } from './workspace.ts'

// Pages without the inbox stream may show a slightly outdated count.
const refetchMilliseconds = 30_000

export const openCountKey = (workspaceId: string) => ['open-count', workspaceId]

export type OpenCount = Pick<InboxCounts, 'open' | 'hasMore'>

/**
 * The number of tasks that wait for people, without those that this person has snoozed. Counting
 * stops at 1,000 per priority. 0 until it is known.
 */
export function useOpenCount(isNeeded = true): number {
  return useLoadedCount(isNeeded)?.open ?? 0
}

function useLoadedCount(isNeeded: boolean): OpenCount | undefined {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: openCountKey(workspaceId),
    queryFn: async ({ signal }): Promise<OpenCount> => (await api.inbox({ limit: 1 }, signal)).counts,
    enabled: isNeeded,
    refetchInterval: refetchMilliseconds,
  }).data
}

type ListCounts = {
  counts: OpenCount
  /** The counts belong to the current filters, not to previous ones. */
  isCurrent: boolean
  isFiltered: boolean
}

/**
 * The number of tasks of the whole inbox, for a page that loads a list with counts. Without filters
 * these counts are used, and stored for `useOpenCount` of other components. Undefined until known.
 */
export function useTotalOpenCount({ counts, isCurrent, isFiltered }: ListCounts): OpenCount | undefined {
  const { open, hasMore } = counts
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const total = useLoadedCount(isFiltered)
  useEffect(() => {
    if (!isFiltered && isCurrent)
      queryClient.setQueryData<OpenCount>(openCountKey(workspaceId), { open, hasMore })
  }, [isFiltered, isCurrent, open, hasMore, queryClient, workspaceId])
  return isFiltered || !isCurrent ? total : counts
}
