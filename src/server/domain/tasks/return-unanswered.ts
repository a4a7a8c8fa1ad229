import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { findUnanswered, stopWaiting } from '../../storage/tasks/conversation.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import { processDue } from '../process-due.ts'
import type { Service } from '../service.ts'

/**
 * Returns tasks to people whose agent has not replied in time. Their questions stay open: the agent may
 * still reply. Returns true if there may be more.
 */
export async function returnUnanswered(service: Service): Promise<boolean> {
  return await processDue(service, {
    find: (limit) => findUnanswered(service.database, limit),
    idOf: ({ id }) => id,
    failure: 'failed to return an unanswered task',
    async work(tx, { id, threadId }) {
      // Another process is working on it: skip it rather than wait.
      if (!(await lockThreadIfFree(tx, threadId))) return false
      const task = await findTask(tx, id)
      if (!task || !(await stopWaiting(tx, task))) return false
      await recordTaskEvent(tx, { type: 'service/task_returned', taskId: id, threadId, body: {} })
      return true
    },
  })
}
