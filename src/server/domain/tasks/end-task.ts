import type { Transaction } from '../../storage/database.ts'
import { findTask, type TaskRow } from '../../storage/tasks.ts'
import { DomainProblem, notFound } from '../problems.ts'

/** The loser of a race learns who was first, when, and with which action. */
export async function whyNotOpen(tx: Transaction, taskId: string): Promise<DomainProblem> {
  const task = await findTask(tx, taskId)
  return task ? taskNotOpen(task) : notFound('task')
}

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
