import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import { listOutdatedLogs, pruneEvents as pruneBatch } from '../../storage/events/event-pruning.ts'
import { forEachWorkspace } from '../for-each-workspace.ts'
import type { Service } from '../service.ts'

// Readers of the event log wait for running transactions, so batches are small.
const batchSize = 500

/** Deletes events older than `limits.eventDays`. Sleeps after full batches as long as they took. */
export async function pruneEvents(service: Service, signal: AbortSignal): Promise<void> {
  const { database, log } = service
  const rows = await listOutdatedLogs(database, limits.eventDays)
  await forEachWorkspace(service, rows, 'failed to delete old events', signal, async ({ workspaceId }) => {
    let count = 0
    let deleted = 0
    do {
      const startedAt = performance.now()
      deleted = await database.inWorkspace(workspaceId, (tx) => pruneBatch(tx, limits.eventDays, batchSize))
      count += deleted
      if (deleted === batchSize) await sleep(performance.now() - startedAt)
    } while (deleted === batchSize && !signal.aborted)
    if (count > 0) log.info({ workspaceId, count }, 'deleted old events')
  })
}
