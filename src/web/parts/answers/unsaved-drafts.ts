import type { Draft } from '../../../contract/inbox.ts'

// Drafts of answers and messages that have not reached the service. Stored in the tab, they survive
// reloads, expired sessions and outages. The keys contain the person, because someone else may sign
// in here next.
const prefixOf = (userId: string) => `handrail.draft.${userId}.`

export function unsavedDrafts(userId: string, taskId: string): Draft[] {
  return readStored(userId, taskId) ?? []
}

export function keepUnsaved(userId: string, taskId: string, draft: Draft): void {
  write(userId, taskId, withUnsaved(unsavedDrafts(userId, taskId), [draft]))
}

/** Removes a draft that was saved, unless it was changed since. */
export function dropUnsaved(userId: string, taskId: string, { actionId, updatedAt }: Draft): void {
  const isOther = (draft: Draft) => draft.actionId !== actionId || draft.updatedAt !== updatedAt
  write(userId, taskId, unsavedDrafts(userId, taskId).filter(isOther))
}

export function dropAllUnsaved(userId: string, taskId: string): void {
  write(userId, taskId, [])
}

/** For how many tasks and messages this tab has stored text that is neither sent nor saved. */
export function countUnsaved(userId: string): number {
  return keysOf(userId).length
}

/** Call on sign-out. */
export function forgetUnsaved(userId: string): void {
  for (const key of keysOf(userId)) sessionStorage.removeItem(key)
}

function keysOf(userId: string): string[] {
  return (
    ifStorageWorks(() => Object.keys(sessionStorage).filter((key) => key.startsWith(prefixOf(userId)))) ?? []
  )
}

/**
 * Unsaved drafts override saved ones. Their timestamps are not compared, because the clocks of the
 * browser and of the service may differ.
 */
export function withUnsaved(saved: Draft[], unsaved: Draft[]): Draft[] {
  return [
    ...saved.filter(({ actionId }) => unsaved.every((draft) => draft.actionId !== actionId)),
    ...unsaved,
  ]
}

function write(userId: string, taskId: string, drafts: Draft[]): void {
  writeStored(userId, taskId, drafts.length === 0 ? undefined : drafts)
}

export function readStored<Value>(userId: string, name: string): Value | undefined {
  return (
    ifStorageWorks(() => JSON.parse(sessionStorage.getItem(prefixOf(userId) + name) ?? 'null')) ?? undefined
  )
}

/** Stores the value, or removes what is stored if it is undefined. */
export function writeStored(userId: string, name: string, value: unknown): void {
  const key = prefixOf(userId) + name
  ifStorageWorks(() =>
    value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(value)),
  )
}

/**
 * If storage is full or blocked, drafts of answers are saved only on the service, and messages are
 * lost on a reload.
 */
function ifStorageWorks<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
