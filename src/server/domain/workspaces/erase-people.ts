import { appendAudit } from '../../storage/audit/audit-log.ts'
import {
  deleteAccountOfNoWorkspace,
  type Erasure,
  endErasure,
  eraseFromDeliveries,
  eraseFromEvents,
  eraseFromRollUps,
  eraseFromSessions,
  eraseFromTasks,
  listErasures,
} from '../../storage/people/erasures.ts'
import type { Service } from '../service.ts'

// A page is its own short transaction.
const page = 500

/** Takes addresses of people who have left out of what their workspace keeps; from the beginning if a process died over it. */
export async function erasePeople(service: Service, signal: AbortSignal): Promise<void> {
  const { database } = service
  for (const { workspaceId, userId, email } of await listErasures(database)) {
    if (signal.aborted) return
    if (email !== null) await erasePerson(service, { workspaceId, userId, email }, signal)
    await database.inWorkspace(workspaceId, async (tx) => {
      if (!(await endErasure(tx, userId))) return
      await appendAudit(tx, { actor: 'service', from: undefined, action: 'member.erased', subject: userId })
    })
  }
}

async function erasePerson({ database }: Service, erasure: Erasure, signal: AbortSignal): Promise<void> {
  const { workspaceId } = erasure
  const inWorkspace: typeof database.inWorkspace = (id, work) => {
    signal.throwIfAborted()
    return database.inWorkspace(id, work)
  }
  while ((await inWorkspace(workspaceId, (tx) => eraseFromTasks(tx, erasure, page))) > 0) {
    // there is more
  }
  await inWorkspace(workspaceId, (tx) => eraseFromRollUps(tx, erasure))
  await pageByPage<Awaited<ReturnType<typeof eraseFromEvents>>>((after) =>
    inWorkspace(workspaceId, (tx) => eraseFromEvents(tx, erasure, after, page)),
  )
  await pageByPage<Awaited<ReturnType<typeof eraseFromDeliveries>>>((after) =>
    inWorkspace(workspaceId, (tx) => eraseFromDeliveries(tx, erasure, after, page)),
  )
  await eraseFromSessions(database, erasure)
  await deleteAccountOfNoWorkspace(database, erasure)
}

async function pageByPage<Place>(next: (after: Place | undefined) => Promise<Place | undefined>) {
  let place: Place | undefined
  do {
    place = await next(place)
  } while (place !== undefined)
}
