import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'

/** Requires the admin role. */
export function useApiKeys({ enabled = true } = {}) {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['api-keys', workspaceId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    enabled,
  })
}
