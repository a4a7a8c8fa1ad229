import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InboxCounts } from '../../contract/inbox.ts'
import { useWorkspace } from './workspace.ts'

// Pages without the inbox stream may show a slightly outdated count.
const refetchMilliseconds = 30_000

export const openCountKey = (workspaceId: string) => ['open-count', workspaceId]

/** Total number of open tasks, for pages that do not list them all. */
export function useOpenCount(isNeeded = true): number {
  const { api, workspaceId } = useWorkspace()
  const { data } = useQuery({
    queryKey: openCountKey(workspaceId),
    queryFn: async ({ signal }) => (await api.inbox({ limit: 1 }, signal)).counts.open,
    enabled: isNeeded,
    refetchInterval: refetchMilliseconds,
  })
  return data ?? 0
}

type ListCounts = { counts: InboxCounts; isLoaded: boolean; isFiltered: boolean }

/** The same for a list with its own counts, which are partial while a filter is active. */
export function useTotalOpenCount({ counts: { open }, isLoaded, isFiltered }: ListCounts): number {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const total = useOpenCount(isFiltered)
  useEffect(() => {
    if (!isFiltered && isLoaded) queryClient.setQueryData(openCountKey(workspaceId), open)
  }, [isFiltered, isLoaded, open, queryClient, workspaceId])
  return isFiltered ? total : open
}
