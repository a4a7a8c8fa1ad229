import { limits } from '../../contract/limits.ts'

// Together with the two seconds for which keys are cached, what is held with a withdrawn credential ends within five.
const checkMilliseconds = 2_000

export type CredentialWatch = ReturnType<typeof createCredentialWatch>

/** Ends what is held open with a credential once that is no longer valid. One timer, and one question about many of them. */
export function createCredentialWatch(findLost: (credentials: string[]) => Promise<string[]>) {
  const watched = new Map<string, Set<() => void>>()
  let checking = false
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
    if (checking) return
    checking = true
    const credentials = [...watched.keys()]
    for (let at = 0; at < credentials.length; at += limits.internalDigests)
      await checkSome(credentials.slice(at, at + limits.internalDigests))
    checking = false
  }

  async function checkSome(credentials: string[]): Promise<void> {
    // If nobody can be asked, nothing is closed: the credentials were valid a moment ago.
    const lost = await findLost(credentials).catch(() => [])
    for (const credential of lost) for (const end of [...(watched.get(credential) ?? [])]) end()
  }

  return { watch }
}
