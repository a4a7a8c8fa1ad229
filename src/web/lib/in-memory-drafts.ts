/** Drafts of answers or messages that a module keeps in memory, because they outlive its components. */
type InMemoryDrafts = {
  /** Saves the drafts to the service, if it stores drafts of this kind. */
  save?: (userId: string) => Promise<unknown>
  forget: (userId: string) => void
}

const registered = new Set<InMemoryDrafts>()

/** Call once per module that keeps drafts in memory. */
export function registerInMemoryDrafts(drafts: InMemoryDrafts): void {
  registered.add(drafts)
}

export async function saveInMemoryDrafts(userId: string): Promise<void> {
  await Promise.all([...registered].map(({ save }) => save?.(userId)))
}

/** Call on sign-out, because someone else may sign in here next. */
export function forgetInMemoryDrafts(userId: string): void {
  for (const { forget } of registered) forget(userId)
}

/** Deletes the entries of a map whose keys start with the id of the person and a space. */
export function deleteKeysOf(userId: string, map: Map<string, unknown>): void {
  for (const key of map.keys()) if (key.startsWith(`${userId} `)) map.delete(key)
}
