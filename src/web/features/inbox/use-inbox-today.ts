import { useQuery } from '@tanstack/react-query'
import { localMidnight } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const refetchMilliseconds = 60_000

/** The figures since midnight. `today` is undefined until they are loaded. */
export function useInboxToday() {
  const { api, workspaceId } = useWorkspace()
  // Also renders again after midnight, with the next day.
  const now = useNow()
  const since = localMidnight()
  const { data: today } = useQuery({
    queryKey: ['inbox-today', workspaceId, since],
    queryFn: ({ signal }) => api.inboxToday(since, signal),
    refetchInterval: refetchMilliseconds,
  })
  return { today, since, now }
}
