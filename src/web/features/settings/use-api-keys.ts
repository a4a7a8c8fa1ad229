import { useQuery } from '@tanstack/react-query'
import { useHere } from '../../lib/person.ts'

/** Only admins and owners may ask. */
export function useApiKeys({ enabled = true } = {}) {
  const { workspaceId, api } = useHere()
  return useQuery({
    queryKey: ['api-keys', workspaceId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    enabled,
  })
}
