import { setTimeout as sleep } from 'node:timers/promises'
import { connect, isDisconnection, type Presence } from './connect.ts'
import type { DataFolder } from './data-folder.ts'
import { ensureRunning } from './ensure-running.ts'
import { findService, isLastClient, joinTools, tryToBeTheService } from './presence.ts'
import { AnotherService } from './private-postgres-error.ts'
import { type StartOptions, stopServer } from './server-process.ts'

const LOCK_PATIENCE_MS = 3_000 // a killed service's connection is noticed within a moment

export type ArriveOptions = StartOptions & { dataDir: string; as: 'service' | 'tool' }

export type Arrived = { presence: Presence; adopted: boolean }

/** Starts PostgreSQL unless it runs, and takes our place at it. */
export async function startOrAttach(folder: DataFolder, options: ArriveOptions): Promise<Arrived> {
  let adopted = true
  for (;;) {
    if (await ensureRunning(folder, options)) adopted = false
    const presence = await connect(folder.path, options.as)
    if (!presence) continue // a last tool was just stopping it
    try {
      if (options.as === 'tool') await joinTools(presence.client)
      else await becomeTheService(presence, options.dataDir)
      return { presence, adopted }
    } catch (error) {
      if (isDisconnection(error)) continue
      // Of two services that start at once, one may start PostgreSQL and the other become the service.
      if (!adopted && (await isLastClient(presence.client))) await stopServer(folder)
      await presence.client.end()
      throw error
    }
  }
}

async function becomeTheService({ client }: Presence, dataDir: string): Promise<void> {
  const end = Date.now() + LOCK_PATIENCE_MS
  while (!(await tryToBeTheService(client))) {
    if (Date.now() > end) {
      const pid = await findService(client)
      throw new AnotherService(
        `Another Handrail${pid ? ` (process ${pid})` : ''} is running on this data folder (${dataDir}). ` +
          'Stop it first, or give this one its own DATA_DIR.',
      )
    }
    await sleep(100)
  }
}
