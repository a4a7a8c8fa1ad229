import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '../../../contract/workspace.ts'
import { useRole } from '../../lib/role.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const pollIntervalMilliseconds = 2_000

/**
 * The valid keys, and the most recently used of them. After a key was created on this page, only
 * that one is `usedKey`.
 */
export function useKeyUsage(created: ApiKey | undefined) {
  const { api, workspaceId } = useWorkspace()
  const isAdmin = useRole().isAtLeast('admin')
  const now = useNow()
  const isValid = ({ revokedAt, expiresAt }: ApiKey) =>
    !revokedAt && !(expiresAt && Date.parse(expiresAt) <= now)
  const { data = [] } = useQuery({
    queryKey: ['first-call', workspaceId, created?.keyId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    enabled: isAdmin,
    refetchInterval: ({ state: { data: all = [] } }) =>
      all.length === 0 || latest(all.filter(isValid), created) ? false : pollIntervalMilliseconds,
  })
  const keys = data.filter(isValid)
  return { keys, usedKey: latest(keys, created) }
}

function latest(keys: ApiKey[], created: ApiKey | undefined): ApiKey | undefined {
  return keys
    .filter(({ keyId, lastUsedAt }) => lastUsedAt && (!created || keyId === created.keyId))
    .toSorted((one, other) => Date.parse(other.lastUsedAt!) - Date.parse(one.lastUsedAt!))[0]
}
