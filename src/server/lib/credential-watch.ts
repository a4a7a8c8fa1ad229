import { limits } from '../../contract/limits.ts'

// A separate MCP server without the pepper asks the backend, which caches who owns a key for
// two seconds. Even so, held requests of a revoked credential end within 5 s.
const checkMilliseconds = 2_000

export type CredentialWatch = ReturnType<typeof createCredentialWatch>

/**
 * Ends held requests and streams once their credential is no longer valid. One timer checks all, in
 * batches.
 */
export function createCredentialWatch(findInvalid: (credentials: string[]) => Promise<string[]>) {
  const watched = new Map<string, Set<() => void>>()
  let isChecking = false
  let timer: NodeJS.Timeout | undefined

  /** Returns an unsubscribe function. */
  function watch(credential: string, end: () => void): () => void {
    const ends = watched.get(credential) ?? new Set()
    watched.set(credential, ends.add(end))
    timer ??= setInterval(() => void check(), checkMilliseconds).unref()
    return () => {
      ends.delete(end)
      if (ends.size === 0 && watched.get(credential) === ends) watched.delete(credential)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }

  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    const credentials = [...watched.keys()]
    for (let at = 0; at < credentials.length; at += limits.internalDigests)
      await checkBatch(credentials.slice(at, at + limits.internalDigests))
    isChecking = false
  }

  async function checkBatch(credentials: string[]): Promise<void> {
    // If the check fails, nothing is ended: the credentials were valid at the last check.
    const invalid = await findInvalid(credentials).catch(() => [])
    for (const credential of invalid) for (const end of [...(watched.get(credential) ?? [])]) end()
  }

  return { watch }
}
