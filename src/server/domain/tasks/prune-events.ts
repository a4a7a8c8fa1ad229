import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../contract/limits.ts'
import { listOutdatedLogs, pruneEvents as pruneBatch } from '../../storage/events/event-pruning.ts'
import type { Service } from '../service.ts'

// Readers of the event log wait for a running transaction, so each batch is a short one.
const batch = 500

/** Deletes events that are older than any cursor may be. Half of the time is left to everybody else. */
export async function pruneEvents({ database, log }: Service, signal: AbortSignal): Promise<void> {
  for (const workspaceId of await listOutdatedLogs(database, limits.eventDays)) {
    let count = 0
    let deleted = 0
    do {
      const began = performance.now()
      deleted = await database.inWorkspace(workspaceId, (tx) => pruneBatch(tx, limits.eventDays, batch))
      count += deleted
      if (deleted === batch) await sleep(performance.now() - began)
    } while (deleted === batch && !signal.aborted)
    if (count > 0) log.info({ workspaceId, count }, 'old events deleted')
    if (signal.aborted) return
  }
}
