import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionTo } from '../../src/server/postgres/connect.ts'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { ensureRunning } from '../../src/server/postgres/ensure-running.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { stopServer } from '../../src/server/postgres/server-process.ts'

/** A private PostgreSQL that a test can stop and start. Its URL does not change. */
export async function startRestartablePostgres(settings: Record<string, string> = {}) {
  // A killed run leaves this folder behind; shared-postgres.ts removes folders with this prefix.
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const folder = chooseDataFolder(dataDir, () => {})
  await ensureRunning(folder, { printLine: () => {}, settings })
  const { socketFolder } = findPostmaster(folder.path)!
  return {
    dataDir,
    folder,
    socketFolder,
    url: urlBySocket(socketFolder),
    stop: () => stopServer(folder),
    start: () => ensureRunning(folder, { printLine: () => {}, socketFolder, settings }),
    /** The ids of its processes, for sending signals. */
    processes(): number[] {
      const { pid } = findPostmaster(folder.path)!
      const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout
      return [pid, ...children.trim().split(/\s+/).map(Number)]
    },
    async end() {
      await stopServer(folder)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function urlBySocket(socketFolder: string): string {
  const { user, database, port } = connectionTo(socketFolder)
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${port}`
}
