import { listWorkspacesToRollUp, rollUpNextDay } from '../../storage/feedback/statistics.ts'
import type { Service } from '../service.ts'

const workspacesPerBatch = 100

/** Rolls up one day per transaction, until nothing is left to count. */
export async function rollUpAnswers({ database }: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    let counted = 0
    for (const workspaceId of await listWorkspacesToRollUp(database, workspacesPerBatch)) {
      while (!signal.aborted && (await database.inWorkspace(workspaceId, rollUpNextDay))) counted++
    }
    if (counted === 0 || signal.aborted) return
  }
}
