import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'

export const viewsKey = (workspaceId: string) => ['views', workspaceId]

export function useViews() {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: viewsKey(workspaceId),
    queryFn: ({ signal }) => api.views(signal),
    staleTime: 30_000,
  })
}
