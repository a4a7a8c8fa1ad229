import type { CancelTask, TaskCancelled } from '../../../contract/task.ts'
import { appendAudit } from '../../storage/audit-log.ts'
import { appendEvent } from '../../storage/event-log.ts'
import { endTask, findTask } from '../../storage/tasks.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { taskNotOpen } from './end-task.ts'
import { requireTask } from './find-task.ts'

/** Cancelling a cancelled task answers the same again: the caller may not have heard the first answer. */
export async function cancelTask(
  { database, metrics }: Service,
  actor: Actor,
  taskId: string,
  input: CancelTask,
): Promise<TaskCancelled> {
  const changed = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    const ended =
      task.status === 'open'
        ? await endTask(tx, task, { status: 'cancelled', reason: input.reason })
        : undefined
    if (!ended) {
      const now = await findTask(tx, taskId)
      if (!now) throw notFound('task')
      if (now.status !== 'cancelled') throw taskNotOpen(now)
      return false
    }
    await appendEvent(tx, {
      type: 'service/task_cancelled',
      taskId,
      threadId: task.threadId,
      body: { ...(input.reason !== undefined && { reason: input.reason }) },
    })
    await appendAudit(tx, { actor: actor.id, from: actor.from, action: 'task.cancelled', subject: taskId })
    return true
  })
  if (changed) metrics.tasksEnded.inc({ status: 'cancelled' })
  return { taskId, status: 'cancelled' }
}
