import type { Draft, SaveDraft } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import {
  deleteDraft as deleteDraftRow,
  listDrafts as listDraftRows,
  saveDraft as saveDraftRow,
} from '../../storage/inbox/drafts.ts'
import { findTaskContent } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { notFound, payloadTooLarge } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { taskNotOpen } from './task-not-open.ts'

// A draft is visible to its author only. It may be incomplete, so it is not validated against the
// form.

export async function listDrafts(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
): Promise<Draft[]> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireTask(tx, taskId)
    return (await listDraftRows(tx, taskId, actor.id)).map(present)
  })
}

export async function saveDraft(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
  actionId: string,
  { data, revision = 1 }: SaveDraft,
): Promise<Draft> {
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > limits.answerBytes)
    throw payloadTooLarge(`A draft may have at most ${limits.answerBytes} bytes. Shorten it.`)
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    // A rejection has a draft too: its feedback.
    if (actionId !== reservedActions.rejectRequest.id) {
      const content = await findTaskContent(tx, taskId)
      if (!content?.actions.some((action) => action.id === actionId)) throw notFound('action')
    }
    // Nobody can have seen a revision that does not exist yet.
    const seen = Math.min(revision, task.revision)
    const saved = await saveDraftRow(tx, taskId, actor.id, { actionId, data: text, revision: seen })
    if (!saved) throw taskNotOpen(await requireTask(tx, taskId))
    return present(saved)
  })
}

export async function deleteDraft(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
  actionId: string,
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireTask(tx, taskId)
    await deleteDraftRow(tx, taskId, actor.id, actionId)
  })
}

function present({ updatedAt, ...draft }: Omit<Draft, 'updatedAt'> & { updatedAt: Date }): Draft {
  return { ...draft, updatedAt: updatedAt.toISOString() }
}
