import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { closeAll, Opener } from './opener.ts'
import { makePlace, removePlaces, untilStopped } from './places.ts'

afterEach(closeAll)
afterAll(removePlaces)

// One for all tests but the first, each of which leaves it stopped: making one takes a second.
const dataDir = makePlace()

const KEEP = `DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 'Grüße'::text AS word`

test('the first start makes a database, the second finds it again', async () => {
  const dataDir = join(makePlace(), 'data')
  const first = await Opener.begin({ dataDir })
  expect(first.open).toMatchObject({ adopted: false, folder: join(dataDir, 'postgres') })
  expect(first.said).toMatch(/^Making a private PostgreSQL \S+ in .*\/data\/postgres\.$/)
  await first.query(KEEP)
  await first.close()
  expect(findPostmaster(first.open.folder)).toBeUndefined()
  expect(existsSync(first.open.connection.host)).toBe(false)

  const second = await Opener.begin({ dataDir })
  expect(second.open.adopted).toBe(false)
  expect(second.said).toBe('')
  expect(await second.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
})

test('the database is safe by default, sorts the same everywhere and has no port', async () => {
  const opener = await Opener.begin({ dataDir })
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
})

test('nobody but the user of the database can reach its files or its socket', async () => {
  const { folder, connection } = (await Opener.begin({ dataDir })).open
  for (const path of [folder, connection.host]) {
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(path).uid).toBe(statSync(folder).uid)
    expect(statSync(path).uid).not.toBe(0)
  }
})

test('after kill -9 of the service alone the next one adopts its PostgreSQL', async () => {
  const killed = await Opener.begin({ dataDir })
  await killed.query(KEEP)
  const server = findPostmaster(killed.open.folder)
  await killed.kill()

  const next = await Opener.begin({ dataDir })
  expect(next.open.adopted).toBe(true)
  expect(findPostmaster(next.open.folder)).toEqual(server)
  expect(await next.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
  await next.close()
  expect(findPostmaster(next.open.folder)).toBeUndefined()
})

test('after kill -9 of the service and PostgreSQL nothing committed is missing', async () => {
  const killed = await Opener.begin({ dataDir })
  await killed.query(KEEP)
  process.kill(findPostmaster(killed.open.folder)!.pid, 'SIGKILL')
  await killed.kill()

  const next = await Opener.begin({ dataDir })
  expect(next.open.adopted).toBe(false)
  expect(await next.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
  expect(existsSync(killed.open.connection.host)).toBe(false)
})

test('after kill -9 of PostgreSQL a living service starts it again at the same address, and nothing committed is missing', async () => {
  const service = await Opener.begin({ dataDir })
  await service.query(KEEP)
  const busy = service.query(`DO $$ DECLARE until timestamptz := clock_timestamp() + '2 s';
    BEGIN WHILE clock_timestamp() < until LOOP END LOOP; END $$`)
  await service.query('SELECT pg_sleep(0.2)')
  process.kill(findPostmaster(service.open.folder)!.pid, 'SIGKILL')
  await service.until(({ note }) => /went away.*Starting it again/.test(note ?? ''))
  // It has to wait for what is still busy.
  await service.until(({ note }) => /is back/.test(note ?? ''))
  await busy.catch(() => {})
  expect(await service.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])

  const second = await Opener.begin({ dataDir })
  expect(second.error).toMatch(/Another Handrail/)
  await service.close()
  expect(findPostmaster(service.open.folder)).toBeUndefined()
  expect(existsSync(service.open.connection.host)).toBe(false)
})

test('a PostgreSQL that someone stops comes back, and so does a service whose connection was cut', async () => {
  const service = await Opener.begin({ dataDir })
  const backs = () => service.events.filter(({ note }) => /is back/.test(note ?? '')).length
  const { pid } = findPostmaster(service.open.folder)!
  process.kill(pid, 'SIGINT')
  await vi.waitUntil(() => backs() === 1, { timeout: 60_000 })
  expect(findPostmaster(service.open.folder)!.pid).not.toBe(pid)

  await service
    .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    .catch(() => {})
  await vi.waitUntil(() => backs() === 2, { timeout: 60_000 })
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a process that has taken over the number of a killed PostgreSQL is not in the way', async () => {
  const killed = await Opener.begin({ dataDir })
  const { folder } = killed.open
  process.kill(findPostmaster(folder)!.pid, 'SIGKILL')
  await killed.kill()
  const { uid, gid } = statSync(folder)
  const other = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  try {
    const file = join(folder, 'postmaster.pid')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(other.pid)))
    const next = await Opener.begin({ dataDir })
    expect(next.open.adopted).toBe(false)
  } finally {
    other.kill()
  }
})

test('Ctrl-C leaves PostgreSQL to the service, which can finish its work first', async () => {
  const service = await Opener.begin({ dataDir })
  service.interruptGroup()
  await service.until((event) => event.interrupted === true)
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a service that exits without closing takes PostgreSQL with it', async () => {
  const service = await Opener.begin({ dataDir })
  await service.tell('exit')
  await untilStopped(service.open.folder)
})
