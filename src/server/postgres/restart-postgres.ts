import { setTimeout as sleep } from 'node:timers/promises'
import type { Presence } from './connect.ts'
import type { DataFolder } from './data-folder.ts'
import { tryExclusiveUse } from './presence.ts'
import { AnotherService } from './private-postgres-error.ts'
import { stopServer } from './server-process.ts'
import { type AttachOptions, startOrAttach } from './start-or-attach.ts'

const initialBackoffMs = 500
const maxBackoffMs = 30_000

export type LogRestart = (message: string, fields?: Record<string, unknown>) => void

/**
 * Restarts PostgreSQL after a crash or disconnect, at the same address because existing pools use
 * that address. If a command has started PostgreSQL at another address meanwhile, waits until that
 * command stops it. Returns undefined if `closing` is aborted.
 */
export async function restartPostgres(
  folder: DataFolder,
  options: AttachOptions & { socketFolder: string },
  log: LogRestart,
  closing: AbortSignal,
): Promise<Presence | undefined> {
  for (
    let backoffMs = initialBackoffMs;
    !closing.aborted;
    backoffMs = Math.min(2 * backoffMs, maxBackoffMs)
  ) {
    try {
      const { presence } = await startOrAttach(folder, { ...options, printLine: (line) => log(line) })
      if (presence.socketFolder === options.socketFolder) return presence
      const isUnused = await tryExclusiveUse(presence.client)
      if (isUnused) await stopServer(folder)
      await presence.client.end()
      if (isUnused) {
        log('stopped private PostgreSQL at another address, starting it at its own', { folder: folder.path })
        continue
      }
      log('a command started private PostgreSQL at another address, waiting for it to finish', {
        folder: folder.path,
      })
    } catch (error) {
      if (error instanceof AnotherService) throw error
      log('private PostgreSQL failed to start, retrying', { folder: folder.path, backoffMs, err: error })
    }
    await sleep(backoffMs, undefined, { signal: closing }).catch(() => undefined)
  }
  return undefined
}
