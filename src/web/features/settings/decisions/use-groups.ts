import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../../lib/workspace.ts'

export function useGroups() {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['groups', workspaceId],
    queryFn: async ({ signal }) => (await api.groups(signal)).groups,
  })
}
