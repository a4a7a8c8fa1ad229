import { findExpired, findTask } from '../../storage/tasks/tasks.ts'
import { lockThreadIfFree } from '../../storage/tasks/thread-locks.ts'
import type { Service } from '../service.ts'
import { endAtDeadline } from './endings.ts'

const batchSize = 100
// Limits how many database connections of a process are used for deadlines.
const concurrency = 4

type Due = Awaited<ReturnType<typeof findExpired>>[number]

/** Ends open tasks past their deadline, oldest first. Returns true if there may be more. */
export async function expireTasks(service: Service): Promise<boolean> {
  const due = await findExpired(service.database, batchSize)
  const queue = due.values()
  let ended = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const task of queue) if (await expireTask(service, task)) ended++
    }),
  )
  return due.length === batchSize && ended > 0
}

async function expireTask(service: Service, due: Due): Promise<boolean> {
  const { database, log } = service
  try {
    return await database.inWorkspace(due.workspaceId, async (tx) => {
      // Another process is working on it: skip it rather than wait.
      if (!(await lockThreadIfFree(tx, due.threadId))) return false
      const task = await findTask(tx, due.id)
      return task !== undefined && (await endAtDeadline(service, tx, task)) !== undefined
    })
  } catch (error) {
    // Continue with the other tasks.
    log.error({ err: error, taskId: due.id }, 'failed to expire task')
    return false
  }
}
