import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InboxCounts } from '../../contract/inbox.ts'
import { useWorkspace } from './workspace.ts'

// Pages without the inbox stream may show a slightly outdated count.
const refetchMilliseconds = 30_000

export const openCountKey = (workspaceId: string) => ['open-count', workspaceId]

type OpenCount = Pick<InboxCounts, 'open' | 'stopped'>

/** Total number of open tasks, for pages that do not list them all. 0 until it is known. */
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
  /** The counts belong to the filters, not to previous ones. */
  isCurrent: boolean
  isFiltered: boolean
}

/** The same for a list with its own counts, which are partial while a filter is active. Undefined until it is known. */
export function useTotalOpenCount({ counts, isCurrent, isFiltered }: ListCounts): OpenCount | undefined {
  const { open, stopped } = counts
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const total = useLoadedCount(isFiltered)
  useEffect(() => {
    if (!isFiltered && isCurrent)
      queryClient.setQueryData<OpenCount>(openCountKey(workspaceId), { open, stopped })
  }, [isFiltered, isCurrent, open, stopped, queryClient, workspaceId])
  return isFiltered || !isCurrent ? total : counts
}
