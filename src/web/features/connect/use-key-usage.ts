import type { ApiKey } from '../../../contract/api-key.ts'
import { useApiKeys } from '../../lib/use-api-keys.ts'
import { useNow } from '../../lib/use-now.ts'

const pollIntervalMilliseconds = 2_000

export type KeyUsage = {
  /** The API keys that are not revoked or expired. */
  keys: ApiKey[]
  /** The most recently used of these keys. Once a key was created on this page, only that key counts. */
  usedKey: ApiKey | undefined
}

/** Polls the API keys, which only admins may read, until one has been used (see `usedKey`). */
export function useKeyUsage(created: ApiKey | undefined) {
  const now = useNow()
  function usageOf(all: ApiKey[]): KeyUsage {
    const keys = all.filter(
      ({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && Date.parse(expiresAt) <= now),
    )
    return { keys, usedKey: lastUsed(keys, created) }
  }
  return useApiKeys({
    select: usageOf,
    refetchInterval: ({ state: { data = [] } }) => {
      const { keys, usedKey } = usageOf(data)
      const isWaiting = !usedKey && (created !== undefined || keys.length > 0)
      return isWaiting && pollIntervalMilliseconds
    },
  })
}

function lastUsed(keys: ApiKey[], created: ApiKey | undefined): ApiKey | undefined {
  return keys
    .filter(({ keyId, lastUsedAt }) => lastUsedAt && (!created || keyId === created.keyId))
    .toSorted((one, other) => Date.parse(other.lastUsedAt!) - Date.parse(one.lastUsedAt!))[0]
}
