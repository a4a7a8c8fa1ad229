import { useQuery } from '@tanstack/react-query'
import { useHere } from '../../lib/person.ts'

/** How many tasks are open in all, where the page itself does not show them all. */
export function useOpenCount(isNeeded = true): number {
  const { api, workspaceId } = useHere()
  const { data } = useQuery({
    queryKey: ['open-count', workspaceId],
    queryFn: async ({ signal }) => (await api.inbox({ limit: 1 }, signal)).counts.open,
    enabled: isNeeded,
    refetchInterval: 30_000,
  })
  return data ?? 0
}
