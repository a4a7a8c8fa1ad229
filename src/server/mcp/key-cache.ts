import { createHash } from 'node:crypto'
import { type Backend, fetchKeyOwner, type KeyOwner } from './backend.ts'

// The backend caches the owners of keys for two seconds as well. With both caches, a revoked key
// stops working after four seconds at the latest; five are promised.
const cacheMilliseconds = 2_000
const maxCached = 20_000

/**
 * Finds the owner of a key or token and caches it for two seconds, by digest: the key itself is not
 * kept. A text for which `isCredential` is false has no owner.
 */
export function createKeyCache(backend: Backend, isCredential: (text: string) => boolean) {
  const cache = new Map<string, { owner: Promise<KeyOwner | undefined>; validUntil: number }>()

  return async function findCachedKeyOwner(apiKey: string): Promise<KeyOwner | undefined> {
    const digest = createHash('sha256').update(apiKey).digest('base64')
    const cached = cache.get(digest)
    if (cached && cached.validUntil > Date.now()) return await cached.owner
    if (!isCredential(apiKey)) return undefined
    if (cache.size >= maxCached) cache.clear()
    const owner = fetchKeyOwner(backend, apiKey)
    cache.set(digest, { owner, validUntil: Date.now() + cacheMilliseconds })
    // A failed lookup is not cached.
    owner.catch(() => cache.delete(digest))
    return await owner
  }
}
