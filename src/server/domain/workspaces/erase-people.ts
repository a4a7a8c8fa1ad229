import { appendAudit } from '../../storage/audit/audit-log.ts'
import {
  deletePersonalRows,
  deleteUnusedAccount,
  type Erasure,
  endErasure,
  eraseFromAnalyses,
  eraseFromDeliveries,
  eraseFromEvents,
  eraseFromRollUps,
  eraseFromSessions,
  eraseFromTasks,
  listErasures,
} from '../../storage/people/erasures.ts'
import { forEachWorkspace } from '../for-each-workspace.ts'
import type { Service } from '../service.ts'

// Rows per transaction.
const pageSize = 500

/**
 * Erases the addresses of former members from the data of their workspace, and their accounts if no
 * other workspace needs them. An interrupted erasure starts over.
 */
export async function erasePeople(service: Service, signal: AbortSignal): Promise<void> {
  const { database } = service
  const erasures = await listErasures(database)
  await forEachWorkspace(service, erasures, 'failed to erase a person', signal, async (erasure) => {
    const { workspaceId, userId, email } = erasure
    if (email !== null) await erasePerson(service, { workspaceId, userId, email }, signal)
    await database.inWorkspace(workspaceId, async (tx) => {
      if (!(await endErasure(tx, userId))) return
      await appendAudit(tx, { actor: 'service', from: undefined, action: 'member.erased', subject: userId })
    })
  })
}

async function erasePerson({ database }: Service, erasure: Erasure, signal: AbortSignal): Promise<void> {
  const { workspaceId } = erasure
  const inWorkspace: typeof database.inWorkspace = (id, work) => {
    signal.throwIfAborted()
    return database.inWorkspace(id, work)
  }
  while ((await inWorkspace(workspaceId, (tx) => eraseFromTasks(tx, erasure, pageSize))) > 0) {
    // Repeat until no rows are left.
  }
  await inWorkspace(workspaceId, (tx) => eraseFromRollUps(tx, erasure))
  await inWorkspace(workspaceId, (tx) => deletePersonalRows(tx, erasure))
  await inWorkspace(workspaceId, (tx) => eraseFromAnalyses(tx, erasure))
  await forEachPage<Awaited<ReturnType<typeof eraseFromEvents>>>((after) =>
    inWorkspace(workspaceId, (tx) => eraseFromEvents(tx, erasure, after, pageSize)),
  )
  await forEachPage<Awaited<ReturnType<typeof eraseFromDeliveries>>>((after) =>
    inWorkspace(workspaceId, (tx) => eraseFromDeliveries(tx, erasure, after, pageSize)),
  )
  await eraseFromSessions(database, erasure)
  await deleteUnusedAccount(database, erasure)
}

async function forEachPage<Position>(next: (after: Position | undefined) => Promise<Position | undefined>) {
  let position: Position | undefined
  do {
    position = await next(position)
  } while (position !== undefined)
}
