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

/** The same for a list with its own counts, which are partial while a filter is active. */
export function useTotalOpenCount(isPart: boolean, isLoaded: boolean, { open }: InboxCounts): number {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const inAll = useOpenCount(isPart)
  useEffect(() => {
    if (!isPart && isLoaded) queryClient.setQueryData(openCountKey(workspaceId), open)
  }, [isLoaded, isPart, open, queryClient, workspaceId])
  return isPart ? inAll : open
}
