import type { Draft } from '../../../contract/inbox.ts'

// Drafts of answers and messages that have not reached the service. They survive reloads, expired sessions and outages. Stored per
// tab and per person, because someone else may sign in here next.
const prefixOf = (userId: string) => `handrail.draft.${userId}.`

export function unsavedDrafts(userId: string, taskId: string): Draft[] {
  return readStored(userId, taskId) ?? []
}

export function keepUnsaved(userId: string, taskId: string, draft: Draft): void {
  write(userId, taskId, [...others(userId, taskId, draft.actionId), draft])
}

/** Removes a draft that was saved, unless it was changed since. */
export function dropUnsaved(userId: string, taskId: string, { actionId, updatedAt }: Draft): void {
  const stored = unsavedDrafts(userId, taskId)
  if (stored.some((draft) => draft.actionId === actionId && draft.updatedAt === updatedAt)) {
    write(userId, taskId, others(userId, taskId, actionId))
  }
}

export function dropAllUnsaved(userId: string, taskId: string): void {
  write(userId, taskId, [])
}

/** What the person has written and neither sent nor saved. */
export function countUnsaved(userId: string): number {
  return keysOf(userId).length
}

/** Call on sign-out. */
export function forgetUnsaved(userId: string): void {
  for (const key of keysOf(userId)) sessionStorage.removeItem(key)
}

function keysOf(userId: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(prefixOf(userId)))
  } catch {
    // Storage is blocked.
    return []
  }
}

/** Unsaved drafts override saved ones. Timestamps are not compared: two clocks wrote them. */
export function withUnsaved(saved: Draft[], unsaved: Draft[]): Draft[] {
  return [
    ...saved.filter(({ actionId }) => unsaved.every((draft) => draft.actionId !== actionId)),
    ...unsaved,
  ]
}

function others(userId: string, taskId: string, actionId: string): Draft[] {
  return unsavedDrafts(userId, taskId).filter((draft) => draft.actionId !== actionId)
}

function write(userId: string, taskId: string, drafts: Draft[]): void {
  writeStored(userId, taskId, drafts.length === 0 ? undefined : drafts)
}

export function readStored<Value>(userId: string, name: string): Value | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(prefixOf(userId) + name) ?? 'null') as Value) ?? undefined
  } catch {
    return undefined
  }
}

/** Undefined removes it. */
export function writeStored(userId: string, name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(prefixOf(userId) + name)
    else sessionStorage.setItem(prefixOf(userId) + name, JSON.stringify(value))
  } catch {
    // Storage is full or blocked: drafts of answers are saved only on the service, and messages are lost on a reload.
  }
}
