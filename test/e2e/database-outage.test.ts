import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { startNode } from '../support/node.ts'
import { checkOutageRecovery } from '../support/outage-recovery.ts'
import { waitOptions } from '../support/wait-options.ts'

test.concurrent('a stopped and restarted PostgreSQL causes 503 during the outage and nothing else', async () => {
  await checkOutageRecovery(2.5)
})

test.concurrent('a killed private PostgreSQL is restarted by the service, which logs it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const node = await startNode({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  try {
    const health = async () => (await fetch(`${node.url}/health`)).status
    expect(await health()).toBe(200)
    const { path } = chooseDataFolder(dataDir, () => {})
    const { pid } = findPostmaster(path)!
    process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => node.errors().includes('private PostgreSQL stopped unexpectedly'), waitOptions)
    await vi.waitUntil(async () => (await health()) === 200, waitOptions)
    expect(findPostmaster(path)!.pid).not.toBe(pid)
    await vi.waitUntil(() => node.errors().includes('private PostgreSQL restarted'), waitOptions)
    expect(await node.stop()).toBe(0)
    expect(findPostmaster(path)).toBeUndefined()
  } finally {
    await node.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
