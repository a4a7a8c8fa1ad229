import type { Draft } from '../../../contract/inbox.ts'

// What was typed and has not reached the service: it outlives a reload, a session that ended and a service that is
// down. In this tab only, and by person, since the next one to sign in here may be someone else.
const keyOf = (userId: string, taskId: string) => `handrail.draft.${userId}.${taskId}`

export function unsavedDrafts(userId: string, taskId: string): Draft[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(userId, taskId)) ?? '[]') as Draft[]
  } catch {
    return []
  }
}

export function keepUnsaved(userId: string, taskId: string, draft: Draft): void {
  write(userId, taskId, [...others(userId, taskId, draft.actionId), draft])
}

/** It has arrived. What was typed since then has not. */
export function dropUnsaved(userId: string, taskId: string, { actionId, updatedAt }: Draft): void {
  const kept = unsavedDrafts(userId, taskId)
  if (kept.some((draft) => draft.actionId === actionId && draft.updatedAt === updatedAt)) {
    write(userId, taskId, others(userId, taskId, actionId))
  }
}

export function dropAllUnsaved(userId: string, taskId: string): void {
  write(userId, taskId, [])
}

/** Those of the service, but for what was typed here and has not reached it. Times do not tell: two clocks wrote them. */
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
  try {
    if (drafts.length === 0) sessionStorage.removeItem(keyOf(userId, taskId))
    else sessionStorage.setItem(keyOf(userId, taskId), JSON.stringify(drafts))
  } catch {
    // Full or forbidden: then the service is the only place.
  }
}
