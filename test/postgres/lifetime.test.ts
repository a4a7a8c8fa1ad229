import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { createFolder, removeFolders, waitUntilStopped } from './folders.ts'
import { closeAll, Opener } from './opener.ts'

afterEach(closeAll)
afterAll(removeFolders)

// Shared by all tests, because initializing takes a second. Each test leaves it stopped.
const dataDir = join(createFolder(), 'data')

const createKeptTable = `DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 'Grüße'::text AS word`

test('the first start creates a database, the second reuses it', async () => {
  rmSync(dataDir, { recursive: true, force: true })
  const first = await Opener.start({ dataDir })
  expect(first.open).toMatchObject({ wasRunning: false, folder: join(dataDir, 'postgres') })
  expect(first.printed).toMatch(/^Creating a private PostgreSQL \S+ in .*\/data\/postgres\.$/)
  await first.query(createKeptTable)
  await first.close()
  expect(findPostmaster(first.open.folder)).toBeUndefined()
  expect(existsSync(first.open.connection.host)).toBe(false)

  const second = await Opener.start({ dataDir })
  expect(second.open.wasRunning).toBe(false)
  expect(second.printed).toBe('')
  expect(await second.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
})

test('the database is durable by default, sorts the same everywhere, opens no TCP port, and only its user can access it', async () => {
  const opener = await Opener.start({ dataDir })
  const [settings] = await opener.query(`
    SELECT current_user AS "user", current_database() AS database, current_setting('server_encoding') AS encoding,
      current_setting('data_checksums') AS checksums, current_setting('fsync') AS fsync,
      current_setting('listen_addresses') AS addresses, lower('ÄÖ') AS lower, 'Z' < 'a' AS "byCodePoint"`)
  expect(settings).toEqual({
    user: 'handrail',
    database: 'handrail',
    encoding: 'UTF8',
    checksums: 'on',
    fsync: 'on',
    addresses: '',
    lower: 'äö',
    byCodePoint: true,
  })
  const { folder, connection } = opener.open
  for (const path of [folder, connection.host]) {
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(path).uid).toBe(statSync(folder).uid)
    expect(statSync(path).uid).not.toBe(0)
  }
})

test('after kill -9 of the service alone, the next one attaches to its PostgreSQL', async () => {
  const killed = await Opener.start({ dataDir })
  await killed.query(createKeptTable)
  const server = findPostmaster(killed.open.folder)
  await killed.kill()

  const next = await Opener.start({ dataDir })
  expect(next.open.wasRunning).toBe(true)
  expect(findPostmaster(next.open.folder)).toEqual(server)
  expect(await next.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
  await next.close()
  expect(findPostmaster(next.open.folder)).toBeUndefined()
})

test('after kill -9 of the service and PostgreSQL, no committed data is missing', async () => {
  const killed = await Opener.start({ dataDir })
  await killed.query(createKeptTable)
  const { pid } = findPostmaster(killed.open.folder)!
  // The service first: it would restart PostgreSQL.
  await killed.kill()
  process.kill(pid, 'SIGKILL')

  const next = await Opener.start({ dataDir })
  expect(next.open.wasRunning).toBe(false)
  expect(await next.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
  expect(existsSync(killed.open.connection.host)).toBe(false)
})

test('after kill -9 of PostgreSQL, the service restarts it at the same address, and no committed data is missing', async () => {
  const service = await Opener.start({ dataDir })
  await service.query(createKeptTable)
  const busy = service.query(`DO $$ DECLARE until timestamptz := clock_timestamp() + '1 s';
    BEGIN WHILE clock_timestamp() < until LOOP END LOOP; END $$`)
  const running = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'`
  await vi.waitUntil(async () => (await service.query(running)).length === 1, { timeout: 60_000 })
  process.kill(findPostmaster(service.open.folder)!.pid, 'SIGKILL')
  await service.until(({ log }) => /stopped unexpectedly, restarting/.test(log ?? ''))
  // The restart has to wait for the busy backend to exit.
  await service.until(({ log }) => /PostgreSQL restarted/.test(log ?? ''))
  await busy.catch(() => {})
  expect(await service.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])

  const second = await Opener.start({ dataDir })
  expect(second.error).toMatch(/Another Handrail/)
  await service.close()
  expect(findPostmaster(service.open.folder)).toBeUndefined()
  expect(existsSync(service.open.connection.host)).toBe(false)
})

test('a stopped PostgreSQL is restarted, and a service whose connection was terminated reconnects', async () => {
  const service = await Opener.start({ dataDir })
  const restartCount = () => service.events.filter(({ log }) => /PostgreSQL restarted/.test(log ?? '')).length
  const { pid } = findPostmaster(service.open.folder)!
  process.kill(pid, 'SIGINT')
  await vi.waitUntil(() => restartCount() === 1, { timeout: 60_000 })
  expect(findPostmaster(service.open.folder)!.pid).not.toBe(pid)

  await service
    .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    .catch(() => {})
  await vi.waitUntil(() => restartCount() === 2, { timeout: 60_000 })
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a process that reuses the pid of a killed PostgreSQL does not prevent a start', async () => {
  const killed = await Opener.start({ dataDir })
  const { folder } = killed.open
  const { pid } = findPostmaster(folder)!
  // The service first: it would restart PostgreSQL.
  await killed.kill()
  process.kill(pid, 'SIGKILL')
  const { uid, gid } = statSync(folder)
  const other = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  try {
    const file = join(folder, 'postmaster.pid')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(other.pid)))
    const next = await Opener.start({ dataDir })
    expect(next.open.wasRunning).toBe(false)
  } finally {
    other.kill()
  }
})

test('Ctrl-C does not stop PostgreSQL, so the service can finish its work first, and its exit does', async () => {
  const service = await Opener.start({ dataDir })
  service.interruptGroup()
  await service.until((event) => event.interrupted === true)
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  // It exits without closing the database.
  await service.send('exit')
  await waitUntilStopped(service.open.folder)
})
