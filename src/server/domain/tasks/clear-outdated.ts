import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { clearOutdatedAnalyses } from '../../storage/feedback/analyses.ts'
import { lockRollUps } from '../../storage/feedback/statistics.ts'
import { listRetentions, retentionChanged } from '../../storage/people/workspaces.ts'
import { type EndedTask, lockOutdatedTasks } from '../../storage/tasks/task-content.ts'
import type { Service } from '../service.ts'
import { clearContent } from './clear-content.ts'

// A batch is a transaction that readers of the event log wait for. Twice as many took 0.25 s, at most 0.6, on two cores at a
// load of 20.
const batch = 50
// An update is cleared twice, in its row and in its event. Fifty tasks with all the updates a task may have took 5.7 s.
const mostUpdates = limits.updatesPerTask

export function listenForRetention({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(retentionChanged, wake)
}

/** Batch by batch in every workspace that keeps content for some days only. Half of the time is left to everybody else. */
export async function clearOutdated({ database, log }: Service, signal: AbortSignal): Promise<void> {
  for (const { id: workspaceId, retentionDays } of await listRetentions(database)) {
    let count = 0
    let last: EndedTask | undefined
    do {
      const began = performance.now()
      const tasks = await database.inWorkspace(workspaceId, (tx) => clearBatch(tx, retentionDays, last))
      count += tasks.length
      last = tasks.at(-1)
      if (last) await sleep(performance.now() - began)
    } while (last && !signal.aborted)
    if (signal.aborted) return
    await database.inWorkspace(workspaceId, clearOutdatedAnalyses)
    if (count > 0) log.info({ workspaceId, retentionDays, count }, 'content of old tasks was deleted')
  }
}

/** From a place on, so that tasks of which something is still owed are passed over once. */
async function clearBatch(
  tx: Transaction,
  retentionDays: number,
  after: EndedTask | undefined,
): Promise<EndedTask[]> {
  // Another process is at it.
  if (!(await lockRollUps(tx, false))) return []
  const tasks = firstOf(await lockOutdatedTasks(tx, after, batch))
  if (tasks.length === 0) return []
  await clearContent(tx, tasks)
  await appendAudit(tx, {
    actor: 'service',
    from: undefined,
    action: 'tasks.content_deleted',
    subject: tx.workspaceId,
    details: { count: tasks.length, retentionDays },
  })
  return tasks
}

/** As many, one at least, as have no more updates together than a batch may clear. */
function firstOf(tasks: EndedTask[]): EndedTask[] {
  let updates = 0
  const first: EndedTask[] = []
  for (const task of tasks) {
    updates += task.updateCount
    if (first.length > 0 && updates > mostUpdates) break
    first.push(task)
  }
  return first
}
