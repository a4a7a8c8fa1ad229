import { groupPrefix } from '../../../contract/group-prefix.ts'
import type { AssignTask } from '../../../contract/note.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findIdsByName, listMembersOf, lockAssignees } from '../../storage/review/groups.ts'
import { setAssignee } from '../../storage/tasks/change-task.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import type { PersonActor } from '../actor.ts'
import { notifyAbout } from '../notifications/notify-about.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { claimIdempotencyKey } from './idempotency-key.ts'
import { presentTask } from './present-task.ts'
import { taskNotOpen } from './task-not-open.ts'
import { announceNote, findMentioned, notifyMentioned, writeNote } from './write-note.ts'

/**
 * Assigns an open task to a member or a group, or unassigns it. This says whose turn it is, not who
 * may answer.
 */
export async function assignTask(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: AssignTask,
): Promise<{ task: TaskRecord; replayed: boolean }> {
  const { to, note = '' } = input
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    const id = newId('note')
    const earlierId = await claimIdempotencyKey(tx, { route: 'assign', taskId, ...input }, id)
    await lockThread(tx, taskId)
    const task = await requireTask(tx, taskId)
    if (earlierId !== undefined) return { task: presentTask(task, service.publicUrl), replayed: true }
    if (task.status !== 'open') throw taskNotOpen(task)
    const assignedTo = to === null ? null : await requireAssignee(tx, to)
    const isChange = assignedTo !== task.assignedToId
    if (isChange) await setAssignee(tx, taskId, assignedTo)
    if (isChange || note !== '') {
      await writeNote(tx, task, actor, { id, kind: 'assigned', text: note, assignedTo })
      const assignees = assignedTo === null ? [] : await listMembersOf(tx, [assignedTo])
      const mentioned = (await findMentioned(tx, note)).filter((person) => !assignees.includes(person))
      await announceNote(tx, task, actor, 'service/task_assigned', [...assignees, ...mentioned])
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
      await notifyMentioned(service, tx, task, actor, mentioned, note)
    }
    return { task: presentTask(await requireTask(tx, taskId), service.publicUrl), replayed: false }
  })
}

/** The id of the member or group, which is locked, so that nobody removes it at the same time. */
async function requireAssignee(tx: Transaction, name: string): Promise<string> {
  const id = (await findIdsByName(tx, [name])).get(name)
  if (id !== undefined && (await lockAssignees(tx, [id])).has(id)) return id
  throw invalidRequest([
    { path: 'to', message: 'Must be the email address of a member, or group:<slug>, of this workspace.' },
  ])
}
