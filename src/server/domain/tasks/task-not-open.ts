import type { Transaction } from '../../storage/engine/database.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import { DomainProblem } from '../problems.ts'
import type { Service } from '../service.ts'
import { endAtDeadline } from './endings.ts'
import { requireTask } from './get-task.ts'

/**
 * For a guarded write that did not happen: if the deadline has passed, ends the task (which submits its
 * default action, queues deliveries and writes the audit). `explainOpen`: why nothing was written to a task
 * that is open. Returns the problem rather than throwing it, so that the transaction commits.
 */
export async function endIfOverdueThenExplain(
  service: Service,
  tx: Transaction,
  taskId: string,
  explainOpen: (task: TaskRow) => DomainProblem = taskRevised,
): Promise<DomainProblem> {
  await lockThread(tx, taskId)
  const task = await requireTask(tx, taskId)
  if (task.status === 'open' && !(await endAtDeadline(service, tx, task))) return explainOpen(task)
  return taskNotOpen(await requireTask(tx, taskId))
}

/** The person saw an earlier revision. */
export function taskRevised({ revision }: TaskRow): DomainProblem {
  return new DomainProblem(
    'task_revised',
    `The agent has revised the task: revision ${revision} is current. Nothing was recorded. Look at what changed, then answer with this revision.`,
    { fields: { revision } },
  )
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
      fields: {
        taskStatus: task.status,
        ...(handled && { handledBy: task.handledBy, handledAt: at, actionId: task.actionId }),
      },
    },
  )
}
