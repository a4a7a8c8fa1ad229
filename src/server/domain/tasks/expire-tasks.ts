import { findExpired, findTask, lockThreadIfFree } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { finishAtDeadline } from './finish-task.ts'

const batch = 100
// Of the connections of a process, so many may be busy with deadlines.
const atOnce = 4

type Due = Awaited<ReturnType<typeof findExpired>>[number]

/** Ends open tasks whose time is up, oldest deadline first. True: there may be more. */
export async function expireTasks(service: Service): Promise<boolean> {
  const due = await findExpired(service.database, batch)
  const left = due.values()
  let ended = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const task of left) if (await expireTask(service, task)) ended++
    }),
  )
  return due.length === batch && ended > 0
}

async function expireTask({ database, metrics, log }: Service, due: Due): Promise<boolean> {
  try {
    const ended = await database.inWorkspace(due.workspaceId, async (tx) => {
      // Another process is at it: rather than wait for it, take the next.
      if (!(await lockThreadIfFree(tx, due.threadId))) return undefined
      const task = await findTask(tx, due.id)
      return task && (await finishAtDeadline(tx, task)) ? task : undefined
    })
    if (ended) metrics.tasksEnded.inc({ status: ended.onExpire ? 'handled' : 'expired' })
    return ended !== undefined
  } catch (error) {
    // The others' time is up, too.
    log.error({ err: error, taskId: due.id }, 'a deadline could not be carried out')
    return false
  }
}
