import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { findUnanswered, stopWaiting } from '../../storage/tasks/conversation.ts'
import { findTask } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import type { Service } from '../service.ts'

const batchSize = 100

/**
 * Returns tasks to people whose agent has not replied in time. Their questions stay open: the agent may
 * still reply. Returns true if there may be more.
 */
export async function returnUnanswered({ database, log }: Service): Promise<boolean> {
  const due = await findUnanswered(database, batchSize)
  let returned = 0
  for (const { id, workspaceId, threadId } of due) {
    try {
      const isReturned = await database.inWorkspace(workspaceId, async (tx) => {
        // Another process is working on it: skip it rather than wait.
        if (!(await lockThreadIfFree(tx, threadId))) return false
        const task = await findTask(tx, id)
        if (!task || !(await stopWaiting(tx, task))) return false
        await recordTaskEvent(tx, { type: 'service/task_returned', taskId: id, threadId, body: {} })
        return true
      })
      if (isReturned) returned++
    } catch (error) {
      // Continue with the other tasks.
      log.error({ err: error, taskId: id }, 'failed to return an unanswered task')
    }
  }
  return due.length === batchSize && returned > 0
}
