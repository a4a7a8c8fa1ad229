import { describeEnd } from '../../../contract/describe-end.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import { lockThread } from '../../storage/tasks/thread-locks.ts'
import { DomainProblem } from '../problems.ts'
import type { Service } from '../service.ts'
import { endAtDeadline } from './endings.ts'
import { requireTask } from './get-task.ts'

/**
 * Call after a guarded write that wrote nothing. Ends the task if its deadline has passed, and
 * returns why nothing was written: that the task has ended or, if it is still open, what
 * `explainOpen` says. (Writes that held the lock of the thread fail only at the deadline, so their
 * callers need no `explainOpen`.) The problem is returned rather than thrown, so that the
 * transaction commits.
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

export function taskNotOpen(task: TaskRow): DomainProblem {
  const at = task.endedAt?.toISOString()
  const isHandled = task.status === 'handled'
  return new DomainProblem('task_not_open', describeEnd(task, at), {
    fields: {
      taskStatus: task.status,
      ...(isHandled && { handledBy: task.handledBy, handledAt: at, actionId: task.actionId }),
    },
  })
}
