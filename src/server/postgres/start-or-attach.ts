import { setTimeout as sleep } from 'node:timers/promises'
import { connect, isDisconnection, type Presence } from './connect.ts'
import type { DataFolder } from './data-folder.ts'
import { ensureRunning } from './ensure-running.ts'
import { acquireCommandLock, findServicePid, tryExclusiveUse, tryServiceLock } from './presence.ts'
import { AnotherService } from './private-postgres-error.ts'
import { type StartOptions, stopServer } from './server-process.ts'

// PostgreSQL notices much sooner that the connection of a killed service has closed, and then
// releases its lock.
const lockTimeoutMs = 3_000

export type AttachOptions = StartOptions & { dataDir: string; as: 'service' | 'command' }

export type Attached = { presence: Presence; wasRunning: boolean }

/** Starts PostgreSQL unless it is running, then connects and takes the presence lock. */
export async function startOrAttach(folder: DataFolder, options: AttachOptions): Promise<Attached> {
  let wasRunning = true
  for (;;) {
    if (await ensureRunning(folder, options)) wasRunning = false
    const presence = await connect(folder.path, options.as)
    if (!presence) continue // PostgreSQL has stopped since ensureRunning
    try {
      if (options.as === 'command') await acquireCommandLock(presence.client)
      else await acquireServiceLock(presence, options.dataDir)
      return { presence, wasRunning }
    } catch (error) {
      if (isDisconnection(error)) continue
      // Of two services starting at once, one may start PostgreSQL while the other gets the lock.
      if (!wasRunning && (await tryExclusiveUse(presence.client))) await stopServer(folder)
      await presence.client.end()
      throw error
    }
  }
}

async function acquireServiceLock({ client }: Presence, dataDir: string): Promise<void> {
  const end = Date.now() + lockTimeoutMs
  while (!(await tryServiceLock(client))) {
    if (Date.now() > end) {
      const pid = await findServicePid(client)
      throw new AnotherService(
        `Another Handrail${pid ? ` (process ${pid})` : ''} is running on this data folder (${dataDir}). ` +
          'Stop it first, or set DATA_DIR to another folder.',
      )
    }
    await sleep(100)
  }
}
