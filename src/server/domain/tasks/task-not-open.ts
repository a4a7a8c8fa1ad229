import type { Transaction } from '../../storage/engine/database.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { DomainProblem } from '../problems.ts'
import { requireTask } from './find-task.ts'
import { finishAtDeadline } from './finish-task.ts'

/**
 * Explains why a guarded write did not happen. If the deadline has passed, it also ends the task: the
 * problem is returned rather than thrown, so that the transaction commits.
 */
export async function explainConflict(tx: Transaction, task: TaskRow): Promise<DomainProblem> {
  await finishAtDeadline(tx, task)
  return taskNotOpen(await requireTask(tx, task.id))
}

/** Says who ended the task, when, and with which action. */
export function taskNotOpen(task: TaskRow): DomainProblem {
  const at = task.endedAt?.toISOString()
  const handled = task.status === 'handled'
  const by = handled ? ` by ${task.handledBy} with "${task.actionTitle}"` : ''
  return new DomainProblem(
    'task_not_open',
    `The task was ${task.status}${by} at ${at}. Nothing was changed.`,
    {
      extra: {
        taskStatus: task.status,
        ...(handled && { handledBy: task.handledBy, handledAt: at, actionId: task.actionId }),
      },
    },
  )
}
