import { useQuery } from '@tanstack/react-query'
import type { InboxFacets } from '../../contract/inbox.ts'
import { useWorkspace } from './workspace.ts'

/** Values to filter by. Loaded while `isNeeded`, for every component that uses them. */
export function useFacets(isNeeded: boolean): InboxFacets | undefined {
  const { api, workspaceId } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['inbox-facets', workspaceId],
    queryFn: ({ signal }) => api.inboxFacets(signal),
    enabled: isNeeded,
  })
  return data
}
