import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'

const refetchMilliseconds = 15_000

export const viewsKey = (workspaceId: string) => ['views', workspaceId]

export function useViews() {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: viewsKey(workspaceId),
    queryFn: ({ signal }) => api.views(signal),
    // Counts that nobody sees cost nothing.
    refetchInterval: ({ state: { data } }) =>
      data && data.views.length + data.shared.length > 0 ? refetchMilliseconds : false,
    staleTime: refetchMilliseconds,
  })
}
