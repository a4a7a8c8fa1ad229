import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { connectionTo } from '../../src/server/postgres/connect.ts'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { ensureRunning } from '../../src/server/postgres/ensure-running.ts'
import { findPostmaster, readPostmasterFile } from '../../src/server/postgres/postmaster-file.ts'
import { stopServer } from '../../src/server/postgres/server-process.ts'
import { startRestartablePostgres, urlBySocket } from './restartable-postgres.ts'
import { query } from './sql.ts'

const waitOptions = { timeout: 60_000, interval: 20 }
// Both are deleted afterwards, and neither is restarted after a crash.
const settings = { fsync: 'off', full_page_writes: 'off' }

/**
 * A primary and a streaming standby. The packaged binaries lack pg_basebackup, so a stopped primary
 * is copied.
 */
export async function startPrimaryAndStandby() {
  const primary = await startRestartablePostgres(settings)
  await primary.stop()
  const standby = copyAsStandby(primary)
  await primary.start()
  await standby.start()
  return { primary, standby }
}

function copyAsStandby(primary: Awaited<ReturnType<typeof startRestartablePostgres>>) {
  // A killed run leaves this folder behind; shared-postgres.ts removes folders with this prefix.
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const path = join(dataDir, 'postgres')
  spawnSync('cp', ['-a', primary.folder.path, path], { stdio: 'inherit' })
  const { host, port, user } = connectionTo(primary.socketFolder)
  appendFileSync(
    join(path, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`,
  )
  const signal = join(path, 'standby.signal')
  writeFileSync(signal, '')
  chownSync(signal, primary.folder.user.uid, primary.folder.user.gid)
  const folder = chooseDataFolder(dataDir, () => {})
  let url = ''
  /** Resolves after the promotion, because a standby never reports itself as ready. */
  let promoted: Promise<unknown> | undefined

  return {
    url: () => url,
    async start() {
      promoted = ensureRunning(folder, { printLine: () => {}, settings })
      promoted.catch(() => undefined)
      url = await vi.waitUntil(() => {
        const socketFolder = readPostmasterFile(folder.path)?.socketFolder
        return socketFolder && urlBySocket(socketFolder)
      }, waitOptions)
      await vi.waitUntil(() => isStreaming().catch(() => false), waitOptions)
    },
    /** Waits until it has replayed everything the primary has written so far. */
    async catchUp() {
      const [position] = await query<{ lsn: string }>(primary.url, 'SELECT pg_current_wal_lsn() AS lsn')
      const hasReplayed = async () =>
        (
          await query<{ has: boolean }>(url, 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has', [
            position!.lsn,
          ])
        )[0]!.has
      await vi.waitUntil(hasReplayed, waitOptions)
    },
    /** Stops replication, so that it falls behind. */
    async stopReplication() {
      await query(url, `ALTER SYSTEM SET primary_conninfo = ''`)
      await query(url, 'SELECT pg_reload_conf()')
      await vi.waitUntil(async () => !(await isStreaming()), waitOptions)
    },
    async promote() {
      await query(url, 'SELECT pg_promote(wait => false)')
      await promoted
    },
    async end() {
      await stopServer(folder)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }

  async function isStreaming() {
    return (await query(url, 'SELECT FROM pg_stat_wal_receiver')).length > 0
  }
}

/** Kills the primary with SIGKILL. What it has not sent to its standby is lost. */
export async function killPrimary({ folder }: Awaited<ReturnType<typeof startRestartablePostgres>>) {
  process.kill(findPostmaster(folder.path)!.pid, 'SIGKILL')
  await vi.waitUntil(() => !findPostmaster(folder.path), waitOptions)
}
