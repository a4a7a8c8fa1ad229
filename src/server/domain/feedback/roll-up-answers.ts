import { listWorkspacesToRollUp, rollUpNextDay } from '../../storage/feedback/roll-ups.ts'
import { forEachWorkspace } from '../for-each-workspace.ts'
import type { Service } from '../service.ts'

const workspacesPerBatch = 100

/** Rolls up one day per transaction, until no completed day is left. */
export async function rollUpAnswers(service: Service, signal: AbortSignal): Promise<void> {
  const { database } = service
  for (;;) {
    let days = 0
    const rows = await listWorkspacesToRollUp(database, workspacesPerBatch)
    await forEachWorkspace(service, rows, 'failed to roll up answers', signal, async ({ workspaceId }) => {
      while (!signal.aborted && (await database.inWorkspace(workspaceId, rollUpNextDay))) days++
    })
    if (days === 0 || signal.aborted) return
  }
}
