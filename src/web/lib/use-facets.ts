import { useQuery } from '@tanstack/react-query'
import type { InboxFacets } from '../../contract/inbox.ts'
import { useWorkspace } from './workspace.ts'

/** The values to filter tasks by. They are loaded once a component calls this with `isNeeded`. */
export function useFacets(isNeeded: boolean): InboxFacets | undefined {
  const { api, workspaceId } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['inbox-facets', workspaceId],
    queryFn: ({ signal }) => api.inboxFacets(signal),
    enabled: isNeeded,
  })
  return data
}
