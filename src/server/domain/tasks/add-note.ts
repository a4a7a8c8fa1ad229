import type { AddNote } from '../../../contract/note.ts'
import { newId } from '../../lib/ids.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { claimIdempotencyKey } from './idempotency-key.ts'
import { announceNote, findMentioned, notifyMentioned, writeNote } from './write-note.ts'

/** Tells colleagues something about a task, also after it has ended. Whoever is mentioned is notified. */
export async function addNote(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: AddNote,
): Promise<{ noteId: string; replayed: boolean }> {
  const { text } = input
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const id = newId('note')
    const earlierId = await claimIdempotencyKey(tx, { route: 'note', taskId, ...input }, id)
    if (earlierId !== undefined) return { noteId: earlierId, replayed: true }
    const task = await requireTask(tx, taskId)
    await writeNote(tx, task, actor, { id, kind: 'note', text })
    const mentioned = await findMentioned(tx, text)
    await announceNote(tx, task, actor, 'service/task_noted', mentioned)
    await notifyMentioned(service, tx, task, actor, mentioned, text)
    return { noteId: id, replayed: false }
  })
}
