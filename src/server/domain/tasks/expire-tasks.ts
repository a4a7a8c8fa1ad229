import { findExpired } from '../../storage/deliveries.ts'
import { findTask } from '../../storage/tasks.ts'
import type { Service } from '../service.ts'
import { finishAtDeadline } from './finish-task.ts'

const atOnce = 50

/** Ends open tasks whose time is up, oldest deadline first. True: there may be more. */
export async function expireTasks(service: Service): Promise<boolean> {
  const due = await findExpired(service.database, atOnce)
  let ended = 0
  for (const { id, workspaceId } of due) {
    try {
      if (await expireTask(service, workspaceId, id)) ended++
    } catch (error) {
      // The others' time is up, too.
      service.log.error({ err: error, taskId: id }, 'a deadline could not be carried out')
    }
  }
  return due.length === atOnce && ended > 0
}

async function expireTask(
  { database, metrics }: Service,
  workspaceId: string,
  taskId: string,
): Promise<boolean> {
  const ended = await database.inWorkspace(workspaceId, async (tx) => {
    const task = await findTask(tx, taskId)
    return task && (await finishAtDeadline(tx, task)) ? task : undefined
  })
  if (ended) metrics.tasksEnded.inc({ status: ended.onExpire ? 'handled' : 'expired' })
  return ended !== undefined
}
