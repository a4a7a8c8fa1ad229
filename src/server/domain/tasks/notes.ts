import { groupPrefix } from '../../../contract/group-prefix.ts'
import { limits } from '../../../contract/limits.ts'
import type { AddNote, AssignTask } from '../../../contract/note.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { appendEvent } from '../../storage/events/event-log.ts'
import { findIdsByName, listMembersOf } from '../../storage/review/groups.ts'
import { insertNote, type NewNote, setAssignee } from '../../storage/tasks/notes.ts'
import { lockThread, type TaskRow } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { mailAbout } from '../notifications/mail-about.ts'
import { conflict, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { presentTask } from './present-task.ts'
import { taskNotOpen } from './task-not-open.ts'

/** Tells colleagues something about a task, also after it has ended. Whoever is mentioned is notified. */
export async function addNote(
  service: Service,
  actor: PersonActor,
  taskId: string,
  { text }: AddNote,
): Promise<{ noteId: string }> {
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    const noteId = await write(tx, task, actor, { kind: 'note', text })
    const mentioned = await findMentioned(tx, text)
    await announce(tx, task, actor, 'service/task_noted', mentioned)
    await mailAbout(service, tx, task, {
      to: mentioned.filter((id) => id !== actor.id),
      label: `${actor.name} mentioned you`,
      text,
    })
    return { noteId }
  })
}

/** Hands an open task over. This says whose turn it is and does not restrict who may answer. */
export async function assignTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  { to, note = '' }: AssignTask,
): Promise<TaskRecord> {
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await lockThread(tx, taskId)
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    const assignedTo = to === null ? null : (await findIdsByName(tx, [to])).get(to)
    if (assignedTo === undefined) {
      throw invalidRequest([
        { path: 'to', message: 'Must be the email address of a member, or group:<slug>, of this workspace.' },
      ])
    }
    if (assignedTo !== task.assignedToId || note !== '') {
      await setAssignee(tx, taskId, assignedTo)
      await write(tx, task, actor, { kind: 'assigned', text: note, assignedTo })
      const assignees = assignedTo === null ? [] : await listMembersOf(tx, [assignedTo])
      await announce(tx, task, actor, 'service/task_assigned', assignees)
      await mailAbout(service, tx, task, {
        to: assignees.filter((id) => id !== actor.id),
        label: `${actor.name} assigned this to ${to?.startsWith(groupPrefix) ? 'your group' : 'you'}`,
        text: note || task.description,
      })
    }
    return presentTask(await requireTask(tx, taskId), service.publicUrl)
  })
}

async function write(
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
  note: Pick<NewNote, 'text' | 'assignedTo'> & { kind: 'note' | 'assigned' },
): Promise<string> {
  const id = newId('note')
  if (!(await insertNote(tx, task, { id, ...note, by: actor }, limits.notesPerTask))) {
    throw conflict(
      task.contentDeletedAt === null
        ? `A task may have at most ${limits.notesPerTask} notes.`
        : 'The content of this task has been deleted, so it takes no more notes.',
    )
  }
  const action = note.kind === 'note' ? 'task.noted' : 'task.assigned'
  const details = { noteId: id, ...(note.kind === 'assigned' && { to: note.assignedTo ?? null }) }
  await appendAudit(tx, { actor: actor.id, from: actor.from, action, subject: task.id, details })
  return id
}

/** For open pages. The text is not part of the event, so that it is stored in one place. */
async function announce(
  tx: Transaction,
  { id: taskId, threadId }: TaskRow,
  { id: userId, name }: PersonActor,
  type: 'service/task_noted' | 'service/task_assigned',
  told: string[],
): Promise<void> {
  await appendEvent(tx, { type, taskId, threadId, body: { userId, name, told } })
}

const mention = /(?<![\w.+-])@(group:[a-z0-9-]+|[^\s@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi

/** People, also of mentioned groups. */
async function findMentioned(tx: Transaction, text: string): Promise<string[]> {
  const names = [...text.matchAll(mention)].slice(0, limits.mentions).map(([, name]) => name!.toLowerCase())
  const ids = await findIdsByName(tx, [...new Set(names)])
  return await listMembersOf(tx, [...ids.values()])
}
