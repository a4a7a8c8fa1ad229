import type { CancelTask, TaskCancelled } from '../../../contract/task.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import { appendEvent } from '../../storage/event-log.ts'
import { endTask } from '../../storage/tasks.ts'
import type { Actor } from '../actor.ts'
import type { Service } from '../service.ts'
import { requireTask } from './find-task.ts'
import { lostAgainst, taskNotOpen } from './task-not-open.ts'

/** Cancelling a cancelled task answers the same again: the caller may not have heard the first answer. */
export async function cancelTask(
  { database, metrics }: Service,
  actor: Actor,
  taskId: string,
  input: CancelTask,
): Promise<TaskCancelled> {
  const lost = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status === 'cancelled') return undefined
    if (task.status !== 'open') throw taskNotOpen(task)
    if (!(await endTask(tx, task, { status: 'cancelled', reason: input.reason }))) {
      const problem = await lostAgainst(tx, task)
      return problem.extra?.taskStatus === 'cancelled' ? undefined : problem
    }
    await appendEvent(tx, {
      type: 'service/task_cancelled',
      taskId,
      threadId: task.threadId,
      body: { ...(input.reason !== undefined && { reason: input.reason }) },
    })
    await appendAudit(tx, { actor: actor.id, from: actor.from, action: 'task.cancelled', subject: taskId })
    metrics.tasksEnded.inc({ status: 'cancelled' })
    return undefined
  })
  if (lost) throw lost
  return { taskId, status: 'cancelled' }
}
