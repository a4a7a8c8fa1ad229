import { listWorkspacesToRollUp, rollUpNextDay } from '../../storage/feedback/statistics.ts'
import type { Service } from '../service.ts'

const workspacesAtATime = 100

/** Day by day, each in a transaction of its own, until nothing is left to count. */
export async function rollUpAnswers({ database }: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    let counted = 0
    for (const workspaceId of await listWorkspacesToRollUp(database, workspacesAtATime)) {
      while (!signal.aborted && (await database.inWorkspace(workspaceId, rollUpNextDay))) counted++
    }
    if (counted === 0 || signal.aborted) return
  }
}
