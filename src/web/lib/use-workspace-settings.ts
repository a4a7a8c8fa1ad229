import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from './workspace.ts'

export function useWorkspaceSettings() {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: ({ signal }) => api.workspace(signal),
  })
}
