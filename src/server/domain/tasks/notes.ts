import { groupPrefix } from '../../../contract/group-prefix.ts'
import { limits } from '../../../contract/limits.ts'
import { mentionsIn } from '../../../contract/mentions.ts'
import type { AddNote, AssignTask } from '../../../contract/note.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { appendEvent } from '../../storage/events/event-log.ts'
import { findIdsByName, listMembersOf, lockAssignees } from '../../storage/review/groups.ts'
import { insertNote, type NewNote, setAssignee } from '../../storage/tasks/notes.ts'
import { lockThread, type TaskRow } from '../../storage/tasks/tasks.ts'
import type { PersonActor } from '../actor.ts'
import { notifyAbout } from '../notifications/notify-about.ts'
import { conflict, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { claimIdempotencyKey } from './idempotency-key.ts'
import { presentTask } from './present-task.ts'
import { taskNotOpen } from './task-not-open.ts'

/** Tells colleagues something about a task, also after it has ended. Whoever is mentioned is notified. */
export async function addNote(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: AddNote,
): Promise<{ noteId: string }> {
  const { text } = input
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const id = newId('note')
    const earlierId = await claimIdempotencyKey(tx, { route: 'note', taskId, ...input }, id)
    if (earlierId !== undefined) return { noteId: earlierId }
    const task = await requireTask(tx, taskId)
    await write(tx, task, actor, { id, kind: 'note', text })
    const mentioned = await findMentioned(tx, text)
    await announce(tx, task, actor, 'service/task_noted', mentioned)
    await mailMentioned(service, tx, task, actor, mentioned, text)
    return { noteId: id }
  })
}

/** Hands an open task over. This says whose turn it is and does not restrict who may answer. */
export async function assignTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: AssignTask,
): Promise<TaskRecord> {
  const { to, note = '' } = input
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const id = newId('note')
    const earlierId = await claimIdempotencyKey(tx, { route: 'assign', taskId, ...input }, id)
    await lockThread(tx, taskId)
    const task = await requireTask(tx, taskId)
    if (earlierId !== undefined) return presentTask(task, service.publicUrl)
    if (task.status !== 'open') throw taskNotOpen(task)
    const assignedTo = to === null ? null : await findAssignee(tx, to)
    const isChange = assignedTo !== task.assignedToId
    if (isChange) await setAssignee(tx, taskId, assignedTo)
    if (isChange || note !== '') {
      await write(tx, task, actor, { id, kind: 'assigned', text: note, assignedTo })
      const assignees = assignedTo === null ? [] : await listMembersOf(tx, [assignedTo])
      const mentioned = (await findMentioned(tx, note)).filter((person) => !assignees.includes(person))
      await announce(tx, task, actor, 'service/task_assigned', [...assignees, ...mentioned])
      await notifyAbout(
        service,
        tx,
        { ...task, assignedToId: assignedTo },
        {
          to: assignees.filter((person) => person !== actor.id),
          label: to?.startsWith(groupPrefix) ? 'Assigned to your group' : 'Assigned to you',
          channelLabel: to?.startsWith(groupPrefix) ? `Assigned to ${to}` : undefined,
          text: note || task.description,
        },
      )
      await mailMentioned(service, tx, task, actor, mentioned, note)
    }
    return presentTask(await requireTask(tx, taskId), service.publicUrl)
  })
}

/** Locked, so that nobody removes the member or the group at the same time. */
async function findAssignee(tx: Transaction, name: string): Promise<string> {
  const id = (await findIdsByName(tx, [name])).get(name)
  if (id !== undefined && (await lockAssignees(tx, [id])).has(id)) return id
  throw invalidRequest([
    { path: 'to', message: 'Must be the email address of a member, or group:<slug>, of this workspace.' },
  ])
}

async function write(
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
  note: Omit<NewNote, 'by' | 'kind'> & { kind: 'note' | 'assigned' },
): Promise<void> {
  const { id, kind, assignedTo = null } = note
  if (!(await insertNote(tx, task, { ...note, by: actor }, limits.notesPerTask))) {
    throw conflict(
      task.contentDeletedAt === null
        ? `A task may have at most ${limits.notesPerTask} notes, and be assigned as often.`
        : 'The content of this task has been deleted, so it takes no more notes.',
    )
  }
  const action = kind === 'note' ? 'task.noted' : 'task.assigned'
  const details = { noteId: id, ...(kind === 'assigned' && { to: assignedTo }) }
  await appendAudit(tx, { actor: actor.id, from: actor.from, action, subject: task.id, details })
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

/** People, also of mentioned groups. */
async function findMentioned(tx: Transaction, text: string): Promise<string[]> {
  const ids = await findIdsByName(tx, mentionsIn(text))
  return await listMembersOf(tx, [...ids.values()])
}

/** Without the name of the author, which would have to be erased from stored mails. */
async function mailMentioned(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  actor: PersonActor,
  mentioned: string[],
  text: string,
): Promise<void> {
  const to = mentioned.filter((person) => person !== actor.id)
  await notifyAbout(service, tx, task, { to, label: 'You were mentioned in a note', text })
}
