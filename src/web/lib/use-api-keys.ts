import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ApiKey } from '../../contract/api-key.ts'
import { useWorkspace } from './workspace.ts'

type Options<T> = Pick<UseQueryOptions<ApiKey[], Error, T>, 'enabled' | 'select' | 'refetchInterval'>

/** Requires the admin role. */
export function useApiKeys<T = ApiKey[]>(options: Options<T> = {}) {
  const { workspaceId, api } = useWorkspace()
  return useQuery({
    queryKey: ['api-keys', workspaceId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    ...options,
  })
}
