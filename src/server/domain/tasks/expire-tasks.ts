import { findOverdueTasks, findTask } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import { processDue } from '../process-due.ts'
import type { Service } from '../service.ts'
import { endAtDeadline } from './endings.ts'

/** Ends open tasks past their deadline, oldest deadline first. Returns true if there may be more. */
export async function expireTasks(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findOverdueTasks(service.database, limit),
    idOf: ({ id }) => id,
    failure: 'failed to expire a task',
    concurrency: 4,
    async work(tx, { id, threadId }) {
      // Another transaction is changing the thread: skip the task rather than wait.
      if (!(await lockThreadIfFree(tx, threadId))) return false
      const task = await findTask(tx, id)
      return task !== undefined && (await endAtDeadline(service, tx, task)) !== undefined
    },
  })
}
