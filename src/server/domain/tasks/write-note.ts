import { limits } from '../../../contract/limits.ts'
import { mentionsIn } from '../../../contract/mentions.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { findIdsByName, listMembersOf } from '../../storage/review/groups.ts'
import { insertNote, type NewNote } from '../../storage/tasks/notes.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { notifyAbout } from '../notifications/notify-about.ts'
import { conflict } from '../problems.ts'
import type { Service } from '../service.ts'

const tooMany = {
  note: `A task may have at most ${limits.notesPerTask} notes. Continue the discussion outside this task.`,
  assigned: `A task may be assigned at most ${limits.notesPerTask} times. Ask the person you have in mind to answer it.`,
}

// Shared by adding a note and assigning a task, which may include a note.

export async function writeNote(
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
  note: Omit<NewNote, 'by' | 'kind'> & { kind: 'note' | 'assigned' },
): Promise<void> {
  const { id, kind, assignedTo = null } = note
  const refusal = await insertNote(tx, task, { ...note, by: actor }, limits.notesPerTask)
  if (refusal === 'too-many') throw conflict(tooMany[kind])
  if (refusal === 'content-deleted')
    throw conflict('The content of this task has been deleted, so it takes no more notes.')
  const action = kind === 'note' ? 'task.noted' : 'task.assigned'
  const details = { noteId: id, ...(kind === 'assigned' && { to: assignedTo }) }
  await appendAudit(tx, { actor: actor.id, from: actor.from, action, subject: task.id, details })
}

/** Records the event that open pages show. The text is not part of it, so that it is stored in one place. */
export async function announceNote(
  tx: Transaction,
  { id: taskId, threadId }: TaskRow,
  { id: userId, name }: PersonActor,
  type: 'service/task_noted' | 'service/task_assigned',
  notifiedUserIds: string[],
): Promise<void> {
  await recordTaskEvent(tx, { type, taskId, threadId, body: { userId, name, notifiedIds: notifiedUserIds } })
}

/** The mentioned people and the members of mentioned groups, by id. */
export async function findMentioned(tx: Transaction, text: string): Promise<string[]> {
  const ids = await findIdsByName(tx, mentionsIn(text))
  return await listMembersOf(tx, [...ids.values()])
}

/** The message does not name the author, whose name would have to be erased from stored messages. */
export async function notifyMentioned(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
  mentioned: string[],
  text: string,
): Promise<void> {
  const to = mentioned.filter((person) => person !== actor.id)
  await notifyAbout(service, tx, task, {
    to,
    label: 'You were mentioned in a note',
    text,
    isMention: true,
  })
}
