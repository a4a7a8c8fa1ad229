import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { findTasksWithOverdueReply, returnToPeople } from '../../storage/tasks/conversation.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import { processDue } from '../process-due.ts'
import type { Service } from '../service.ts'

/**
 * Returns tasks to people if the agent has not replied in time. The questions stay open: the agent
 * may still reply. Returns true if there may be more.
 */
export async function returnUnanswered(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findTasksWithOverdueReply(service.database, limit),
    idOf: ({ id }) => id,
    failure: 'failed to return a task to people',
    async work(tx, { id, threadId }) {
      // Another transaction is changing the thread: skip the task rather than wait.
      if (!(await lockThreadIfFree(tx, threadId))) return false
      const task = await findTask(tx, id)
      if (!task || !(await returnToPeople(tx, task))) return false
      await recordTaskEvent(tx, { type: 'service/task_returned', taskId: id, threadId, body: {} })
      return true
    },
  })
}
