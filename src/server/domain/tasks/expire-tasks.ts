import { findExpired } from '../../storage/deliveries.ts'
import { findTask } from '../../storage/tasks.ts'
import type { Service } from '../service.ts'
import { finishAtDeadline } from './finish-task.ts'

const atOnce = 50

/** Ends open tasks whose time is up, oldest deadline first. True: there may be more. */
export async function expireTasks({ database, metrics }: Service): Promise<boolean> {
  const due = await findExpired(database, atOnce)
  for (const { id, workspaceId } of due) {
    const ended = await database.inWorkspace(workspaceId, async (tx) => {
      const task = await findTask(tx, id)
      return task !== undefined && (await finishAtDeadline(tx, task)) ? task : undefined
    })
    if (ended) metrics.tasksEnded.inc({ status: ended.onExpire ? 'handled' : 'expired' })
  }
  return due.length === atOnce
}
