import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { openPrivatePostgres } from '../../src/server/postgres/private-postgres.ts'
import { startNode } from '../support/node.ts'

/** A service in its own process, with its private PostgreSQL on a data folder of its own, as `npm start` runs it. */
export async function startKillableService() {
  // A killed run leaves this behind; test/support/shared-postgres.ts sweeps folders of this name.
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const start = () => startNode({ DATA_DIR: dataDir })
  let node = await start()

  return {
    /** Another port after each start. */
    url: () => node.url,
    output: () => node.output(),
    /** kill -9, of the service alone or of PostgreSQL in the same breath; then the next start. */
    async killAndRestart(what: 'service' | 'service and PostgreSQL'): Promise<void> {
      const postmaster = findPostmaster(chooseDataFolder(dataDir, () => {}).path)
      if (!postmaster) throw new Error('There is no PostgreSQL to outlive or to kill.')
      if (what === 'service and PostgreSQL') process.kill(postmaster.pid, 'SIGKILL')
      await node.kill()
      node = await start()
    },
    async end(): Promise<void> {
      await node.stop()
      // Nothing to stop unless the last start failed; then PostgreSQL has no service that would take it along.
      await (await openPrivatePostgres({ dataDir, as: 'tool', printLine: () => {} })).close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
