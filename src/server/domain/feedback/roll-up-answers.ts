import { listWorkspacesToRollUp, rollUpNextDay } from '../../storage/feedback/roll-ups.ts'
import { forEachWorkspace } from '../for-each-workspace.ts'
import type { Service } from '../service.ts'

const workspacesPerBatch = 100

/** Rolls up one day per transaction, until nothing is left to count. */
export async function rollUpAnswers(service: Service, signal: AbortSignal): Promise<void> {
  const { database } = service
  for (;;) {
    let counted = 0
    const rows = await listWorkspacesToRollUp(database, workspacesPerBatch)
    await forEachWorkspace(service, rows, 'failed to roll up answers', signal, async ({ workspaceId }) => {
      while (!signal.aborted && (await database.inWorkspace(workspaceId, rollUpNextDay))) counted++
    })
    if (counted === 0 || signal.aborted) return
  }
}
