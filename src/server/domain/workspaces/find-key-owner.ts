import { digestApiKey, isApiKey } from '../../lib/api-key-format.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Database } from '../../storage/engine/database.ts'
import { findApiKey, findGoodDigests, type KeyOwner, markApiKeyUsed } from '../../storage/people/api-keys.ts'

// A revoked key must stop working within 5 s on every node; 2 s here leave as much for the MCP door's own memory.
const rememberMilliseconds = 2_000
const rememberAtMost = 10_000
const markUsedMilliseconds = 60_000

type Remembered = { owner: KeyOwner | undefined; until: number }

/** Whose key is this? Remembers the answer for two seconds; mistyped keys never reach the database. */
export function createKeyLookup(database: Database, pepper: string, log: Logger) {
  const remembered = new Map<string, Remembered>()
  const marked = new Map<string, number>()

  async function findKeyOwner(key: string): Promise<KeyOwner | undefined> {
    if (!isApiKey(key)) return undefined
    return await findOwnerByDigest(digestApiKey(key, pepper))
  }

  async function findOwnerByDigest(digest: string): Promise<KeyOwner | undefined> {
    const known = remembered.get(digest)
    if (known && known.until > Date.now()) return known.owner
    const owner = await findApiKey(database, digest)
    remember(digest, owner)
    if (owner) markUsed(owner)
    return owner
  }

  function remember(digest: string, owner: KeyOwner | undefined): void {
    const validUntil = owner?.validUntil?.getTime() ?? Number.POSITIVE_INFINITY
    if (remembered.size >= rememberAtMost) remembered.clear()
    remembered.set(digest, { owner, until: Math.min(Date.now() + rememberMilliseconds, validUntil) })
  }

  function markUsed({ keyId, workspaceId }: KeyOwner): void {
    if ((marked.get(keyId) ?? 0) > Date.now() - markUsedMilliseconds) return
    if (marked.size >= rememberAtMost) marked.clear()
    marked.set(keyId, Date.now())
    database
      .inWorkspace(workspaceId, (tx) => markApiKeyUsed(tx, keyId))
      .catch((error) => log.warn({ err: error }, 'the last use of a key was not noted'))
  }

  /** Not from the cache, which is corrected: whoever asks about many wants to learn of revoked ones. */
  async function findGoodKeys(digests: string[]): Promise<string[]> {
    const good = new Set(await findGoodDigests(database, digests))
    for (const digest of digests) if (!good.has(digest)) remember(digest, undefined)
    return [...good]
  }

  /** Which of these keys were revoked or have expired. */
  async function findLostKeys(keys: string[]): Promise<string[]> {
    const digests = keys.map((key) => digestApiKey(key, pepper))
    const good = new Set(await findGoodKeys(digests))
    return keys.filter((_, at) => !good.has(digests[at]!))
  }

  return { findKeyOwner, findOwnerByDigest, findGoodKeys, findLostKeys }
}

export type KeyLookup = ReturnType<typeof createKeyLookup>
export type FindKeyOwner = KeyLookup['findKeyOwner']

export type { KeyOwner }
