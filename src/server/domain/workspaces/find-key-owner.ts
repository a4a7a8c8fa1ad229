import { idPrefixes } from '../../../contract/ids.ts'
import { digestCredential, isAccessToken, isApiKey } from '../../lib/credential-format.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Database } from '../../storage/engine/database.ts'
import {
  findOwnerByDigest as findOwnerRow,
  type KeyOwner,
  listValidDigests,
  markApiKeyUsed,
} from '../../storage/people/api-keys.ts'
import { markGrantUsed } from '../../storage/people/oauth-grants.ts'

// A revoked key must stop working within 5 s on every node. This cache delays that by at most 2 s,
// and the cache of the MCP entry point (mcp/key-cache.ts) by another 2 s.
const cacheMilliseconds = 2_000
const maxCacheEntries = 10_000
const markUsedIntervalMilliseconds = 60_000

type CachedOwner = { owner: KeyOwner | undefined; until: number }

/**
 * Finds the owner of an API key or of a connected app's access token, whose owner is a grant.
 * Owners are cached for two seconds. Malformed credentials are refused without a query.
 */
export function createKeyLookup(database: Database, pepper: string, log: Logger) {
  const cache = new Map<string, CachedOwner>()
  const markedAt = new Map<string, number>()

  async function findKeyOwner(key: string): Promise<KeyOwner | undefined> {
    if (!isApiKey(key) && !isAccessToken(key)) return undefined
    return await findOwnerByDigest(digestCredential(key, pepper))
  }

  async function findOwnerByDigest(digest: string): Promise<KeyOwner | undefined> {
    const cached = cache.get(digest)
    if (cached && cached.until > Date.now()) return cached.owner
    const owner = await findOwnerRow(database, digest)
    store(digest, owner)
    if (owner) markUsed(owner)
    return owner
  }

  function store(digest: string, owner: KeyOwner | undefined): void {
    const validUntil = owner?.validUntil?.getTime() ?? Number.POSITIVE_INFINITY
    if (cache.size >= maxCacheEntries) cache.clear()
    cache.set(digest, { owner, until: Math.min(Date.now() + cacheMilliseconds, validUntil) })
  }

  function markUsed({ keyId, workspaceId }: KeyOwner): void {
    if ((markedAt.get(keyId) ?? 0) > Date.now() - markUsedIntervalMilliseconds) return
    if (markedAt.size >= maxCacheEntries) markedAt.clear()
    markedAt.set(keyId, Date.now())
    database
      .inWorkspace(workspaceId, (tx) => (isGrant(keyId) ? markGrantUsed : markApiKeyUsed)(tx, keyId))
      .catch((error) => log.warn({ err: error }, 'failed to record the last use of a key or connected app'))
  }

  /** Reads the database and updates the cache from it, because callers look for revoked keys. */
  async function findValidDigests(digests: string[]): Promise<string[]> {
    const valid = new Set(await listValidDigests(database, digests))
    for (const digest of digests) if (!valid.has(digest)) store(digest, undefined)
    return [...valid]
  }

  /** Returns the keys that are unknown, revoked or expired. */
  async function findInvalidKeys(keys: string[]): Promise<string[]> {
    const digests = keys.map((key) => digestCredential(key, pepper))
    const valid = new Set(await findValidDigests(digests))
    return keys.filter((_, index) => !valid.has(digests[index]!))
  }

  return { findKeyOwner, findOwnerByDigest, findValidDigests, findInvalidKeys }
}

/** Whether the owner is a connected app: its grant takes the place of the key's id. */
export const isGrant = (keyId: string) => keyId.startsWith(idPrefixes.grant)

export type KeyLookup = ReturnType<typeof createKeyLookup>
export type FindKeyOwner = KeyLookup['findKeyOwner']

export type { KeyOwner }
