import { setTimeout as sleep } from 'node:timers/promises'
import type { Presence } from './connect.ts'
import type { DataFolder } from './data-folder.ts'
import { isLastClient } from './presence.ts'
import { AnotherService } from './private-postgres-error.ts'
import { stopServer } from './server-process.ts'
import { type ArriveOptions, startOrAttach } from './start-or-attach.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * PostgreSQL again after it died or cut us off. Our connections know its address, so it has to come back there: where
 * a command has started it elsewhere meanwhile, we wait until that has finished and stopped it.
 */
export async function restartPostgres(
  folder: DataFolder,
  options: ArriveOptions & { socketFolder: string },
  note: (what: string, error?: unknown) => void,
  leaving: AbortSignal,
): Promise<Presence | undefined> {
  for (let pause = FIRST_PAUSE_MS; !leaving.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const { presence } = await startOrAttach(folder, { ...options, say: note })
      if (presence.socketFolder === options.socketFolder) return presence
      // Nobody uses it any more: the next round starts it where it belongs.
      if (await isLastClient(presence.client)) await stopServer(folder)
      await presence.client.end()
      note(
        `A command has started the private PostgreSQL in ${folder.path} at another address. Waiting for it to finish.`,
      )
    } catch (error) {
      if (error instanceof AnotherService) throw error
      note(`The private PostgreSQL in ${folder.path} does not start. Trying again in ${pause} ms.`, error)
    }
    await sleep(pause, undefined, { signal: leaving }).catch(() => undefined)
  }
  return undefined
}
