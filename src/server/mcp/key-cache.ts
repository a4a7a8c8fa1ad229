import { createHash } from 'node:crypto'
import type { Backend, KeyOwner } from './backend.ts'

// Together with the backend's own two seconds, a revoked key is out within five.
const rememberMilliseconds = 2_000
const rememberAtMost = 20_000

/** Whose key is it? Asks the backend and remembers for two seconds, by digest: the key itself is not kept. */
export function createKeyMemory(backend: Backend) {
  const known = new Map<string, { owner: Promise<KeyOwner | undefined>; until: number }>()

  return async function findKeyOwner(apiKey: string): Promise<KeyOwner | undefined> {
    if (!/^hrl_[0-9A-Za-z]{38}$/.test(apiKey)) return undefined
    const digest = createHash('sha256').update(apiKey).digest('base64')
    const remembered = known.get(digest)
    if (remembered && remembered.until > Date.now()) return await remembered.owner
    if (known.size >= rememberAtMost) known.clear()
    const owner = backend.findKeyOwner(apiKey)
    known.set(digest, { owner, until: Date.now() + rememberMilliseconds })
    // A backend that could not be asked is no answer worth remembering.
    owner.catch(() => known.delete(digest))
    return await owner
  }
}
