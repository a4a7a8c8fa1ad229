import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { clearOutdatedAnalyses } from '../../storage/feedback/analysis-quotes.ts'
import { tryLockRollUps } from '../../storage/feedback/roll-ups.ts'
import { listRetentions, retentionChanged } from '../../storage/people/workspaces.ts'
import { lockOutdatedTasks, type TaskToClear } from '../../storage/tasks/task-content.ts'
import { forEachWorkspace } from '../for-each-workspace.ts'
import type { Service } from '../service.ts'
import { clearContent } from './clear-content.ts'

// Readers of the event log wait for the transaction of a batch. With 100 tasks, most transactions
// took 0.25 s and the slowest took 0.6 s, on two cores at a load of 20.
const batchSize = 50
// Clearing an update changes two rows, the update and its event. A batch of 50 tasks, each with the
// maximum number of updates, took 5.7 s, so a batch has at most the updates of one such task.
const maxUpdatesPerBatch = limits.updatesPerTask

/** Calls `wake` when the retention period of a workspace changes. Returns an unsubscribe function. */
export function onRetentionChanged({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(retentionChanged, wake)
}

/**
 * Deletes outdated content in batches, in every workspace with a retention period. Sleeps after
 * each batch for as long as it took.
 */
export async function clearOutdated(service: Service, signal: AbortSignal): Promise<void> {
  const { database, log } = service
  const rows = await listRetentions(database)
  const failure = 'failed to delete outdated task content'
  await forEachWorkspace(service, rows, failure, signal, async ({ workspaceId, retentionDays }) => {
    let count = 0
    let last: TaskToClear | undefined
    do {
      const startedAt = performance.now()
      const tasks = await database.inWorkspace(workspaceId, (tx) => clearBatch(tx, retentionDays, last))
      count += tasks.length
      last = tasks.at(-1)
      if (last) await sleep(performance.now() - startedAt)
    } while (last && !signal.aborted)
    if (signal.aborted) return
    await database.inWorkspace(workspaceId, clearOutdatedAnalyses)
    if (count > 0) log.info({ workspaceId, retentionDays, count }, 'deleted outdated task content')
  })
}

/**
 * Clears the next tasks after `after`, so that those that `lockOutdatedTasks` skips are read only
 * once per run.
 */
async function clearBatch(
  tx: Transaction,
  retentionDays: number,
  after: TaskToClear | undefined,
): Promise<TaskToClear[]> {
  // Another process is changing the roll-ups of this workspace. The next run continues.
  if (!(await tryLockRollUps(tx))) return []
  const tasks = takeBatch(await lockOutdatedTasks(tx, retentionDays, after, batchSize))
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

/** The first tasks, at least one, that together have at most `maxUpdatesPerBatch` updates. */
function takeBatch(tasks: TaskToClear[]): TaskToClear[] {
  let updates = 0
  const batch: TaskToClear[] = []
  for (const task of tasks) {
    updates += task.updateCount
    if (batch.length > 0 && updates > maxUpdatesPerBatch) break
    batch.push(task)
  }
  return batch
}
