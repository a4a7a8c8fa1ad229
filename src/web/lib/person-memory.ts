/** A module's store of text that people have written, which outlives components. */
type Memory = {
  /** Saves to the service what it can store. */
  save?: (userId: string) => Promise<unknown>
  forget: (userId: string) => void
}

const memories = new Set<Memory>()

/** For modules that keep text that a person has written outside components. */
export function registerMemory(memory: Memory): void {
  memories.add(memory)
}

export async function saveMemories(userId: string): Promise<void> {
  await Promise.all([...memories].map(({ save }) => save?.(userId)))
}

/** Call on sign-out: someone else may sign in here next. */
export function forgetPerson(userId: string): void {
  for (const { forget } of memories) forget(userId)
}

/** For drafts in a map whose keys start with the id of the person and a space. */
export function forgetKeysOf(drafts: Map<string, unknown>, userId: string): void {
  for (const key of drafts.keys()) if (key.startsWith(`${userId} `)) drafts.delete(key)
}
