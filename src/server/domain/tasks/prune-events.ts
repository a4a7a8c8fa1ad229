import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import { listOutdatedLogs, pruneEvents as pruneBatch } from '../../storage/events/event-pruning.ts'
import type { Service } from '../service.ts'

// Readers of the event log wait for running transactions, so batches are small.
const batchSize = 500

/** Deletes events older than any valid cursor. Sleeps half of the time. */
export async function pruneEvents({ database, log }: Service, signal: AbortSignal): Promise<void> {
  for (const workspaceId of await listOutdatedLogs(database, limits.eventDays)) {
    let count = 0
    let deleted = 0
    do {
      const startedAt = performance.now()
      deleted = await database.inWorkspace(workspaceId, (tx) => pruneBatch(tx, limits.eventDays, batchSize))
      count += deleted
      if (deleted === batchSize) await sleep(performance.now() - startedAt)
    } while (deleted === batchSize && !signal.aborted)
    if (count > 0) log.info({ workspaceId, count }, 'deleted old events')
    if (signal.aborted) return
  }
}
