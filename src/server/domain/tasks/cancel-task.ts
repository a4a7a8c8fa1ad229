import type { CancelTask, TaskCancelled } from '../../../contract/task.ts'
import { endTaskWaitingForLock } from '../../storage/tasks/end-task.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import type { Service } from '../service.ts'
import { cancelledEnding } from './endings.ts'
import { requireTask } from './get-task.ts'
import { requireAccess } from './key-limits.ts'
import { endIfOverdueThenExplain, taskNotOpen } from './task-not-open.ts'

/**
 * Idempotent: cancelling a cancelled task returns the same result, because the first response may
 * have been lost.
 */
export async function cancelTask(
  service: Service,
  actor: Actor,
  taskId: string,
  input: CancelTask,
): Promise<TaskCancelled> {
  const { database, metrics } = service
  const result = await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = requireAccess(actor, await findTask(tx, taskId))
    if (task.status === 'cancelled') return undefined
    if (task.status !== 'open') throw taskNotOpen(task)
    const endedAt = await endTaskWaitingForLock(tx, cancelledEnding(task, input.reason, actor))
    if (endedAt) return 'cancelled'
    const problem = await endIfOverdueThenExplain(service, tx, task.id)
    return (await requireTask(tx, task.id)).status === 'cancelled' ? undefined : problem
  })
  if (result === 'cancelled') metrics.tasksEnded.inc({ status: 'cancelled' })
  else if (result) throw result
  return { taskId, status: 'cancelled' }
}
