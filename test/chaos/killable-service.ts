import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { openPrivatePostgres } from '../../src/server/postgres/private-postgres.ts'
import { startNode } from '../support/node.ts'

/** A service in its own process with a private PostgreSQL in its own data folder, like `npm start`. */
export async function startKillableService() {
  // A killed run leaves this folder behind; test/support/shared-postgres.ts removes folders with
  // this prefix.
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const start = () => startNode({ DATA_DIR: dataDir })
  let node = await start()

  return {
    /** The port changes with each start. */
    url: () => node.url,
    output: () => node.output(),
    /** Kills the service with SIGKILL, optionally together with PostgreSQL, and starts it again. */
    async killAndRestart(what: 'service' | 'service and PostgreSQL'): Promise<void> {
      const postmaster = findPostmaster(chooseDataFolder(dataDir, () => {}).path)
      if (!postmaster) throw new Error('There is no PostgreSQL to outlive or to kill.')
      if (what === 'service and PostgreSQL') process.kill(postmaster.pid, 'SIGKILL')
      await node.kill()
      node = await start()
    },
    async end(): Promise<void> {
      await node.kill()
      // Stops PostgreSQL, which runs without a service now.
      await (await openPrivatePostgres({ dataDir, as: 'command', printLine: () => {} })).close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
