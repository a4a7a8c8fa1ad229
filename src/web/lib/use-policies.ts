import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from './workspace.ts'

export function usePolicies() {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['policies', workspaceId],
    queryFn: async ({ signal }) => (await api.policies(signal)).policies,
  })
}
