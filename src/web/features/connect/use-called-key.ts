import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '../../../contract/workspace.ts'
import { useRole } from '../../lib/role.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const pollIntervalMilliseconds = 2_000

/** The valid keys, and the one that was used: the key that was created on this page or, without one, the latest. */
export function useCalledKey(created: ApiKey | undefined) {
  const { api, workspaceId } = useWorkspace()
  const isAdmin = useRole().isAtLeast('admin')
  const now = useNow()
  const { data = [] } = useQuery({
    queryKey: ['first-call', workspaceId, created?.keyId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    enabled: isAdmin,
    refetchInterval: ({ state: { data: keys = [] } }) =>
      keys.length === 0 || latest(keys, created) ? false : pollIntervalMilliseconds,
  })
  const keys = data.filter(
    ({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && Date.parse(expiresAt) <= now),
  )
  return { keys, calledKey: latest(keys, created) }
}

function latest(keys: ApiKey[], created: ApiKey | undefined): ApiKey | undefined {
  return keys
    .filter(({ keyId, lastUsedAt }) => lastUsedAt && (!created || keyId === created.keyId))
    .toSorted((one, other) => Date.parse(other.lastUsedAt!) - Date.parse(one.lastUsedAt!))[0]
}
