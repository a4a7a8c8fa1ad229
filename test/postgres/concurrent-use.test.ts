import { existsSync, readdirSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { createFolder, removeFolders } from './folders.ts'
import { closeAll, Opener } from './opener.ts'

afterEach(closeAll)
afterAll(removeFolders)

// Shared by all tests but the first, because initializing takes a second. Each test leaves it
// stopped.
const dataDir = createFolder()

const anotherIsRunning =
  /^PrivatePostgresError: Another Handrail \(process \d+\) is running on this data folder \(.*\)\. Stop it first/

test('of two services that start at once on a new data folder, one wins and the other gets an error', async () => {
  const fresh = createFolder()
  const both = await Promise.all([Opener.start({ dataDir: fresh }), Opener.start({ dataDir: fresh })])
  const winner = both.find((opener) => !opener.error)!
  const loser = both.find((opener) => opener !== winner)!
  expect(loser.error).toMatch(anotherIsRunning)
  expect(await winner.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(readdirSync(fresh)).toEqual(['postgres'])
  await winner.close()
  expect(findPostmaster(winner.open.folder)).toBeUndefined()
})

test('a second service is refused, and the first one keeps working', async () => {
  const first = await Opener.start({ dataDir })
  const second = await Opener.start({ dataDir })
  expect(second.error).toMatch(anotherIsRunning)
  expect(await first.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a tool uses the PostgreSQL of a running service and leaves it running', async () => {
  const service = await Opener.start({ dataDir })
  const tool = await Opener.start({ dataDir, as: 'command' })
  expect(tool.open).toEqual({ ...service.open, wasRunning: true })
  await tool.close()
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('without a service, a tool starts PostgreSQL and stops it when it closes', async () => {
  const tool = await Opener.start({ dataDir, as: 'command' })
  expect(tool.open.wasRunning).toBe(false)
  expect(await tool.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await tool.close()
  expect(findPostmaster(tool.open.folder)).toBeUndefined()
  expect(existsSync(tool.open.connection.host)).toBe(false)
})

test('of several tools, the last one to close stops PostgreSQL', async () => {
  const first = await Opener.start({ dataDir, as: 'command' })
  const second = await Opener.start({ dataDir, as: 'command' })
  await first.close()
  expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  const third = await Opener.start({ dataDir, as: 'command' })
  await Promise.all([second.close(), third.close()])
  expect(findPostmaster(first.open.folder)).toBeUndefined()
})

test('a service takes over a PostgreSQL that a tool started', async () => {
  const tool = await Opener.start({ dataDir, as: 'command' })
  const service = await Opener.start({ dataDir })
  expect(service.open.wasRunning).toBe(true)
  await tool.close()
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a service that starts while the last tool closes gets a PostgreSQL that keeps running', async () => {
  for (let round = 0; round < 5; round++) {
    const tool = await Opener.start({ dataDir, as: 'command' })
    // The process connects after about 150 ms: close the tool shortly before and after that.
    const starting = Opener.start({ dataDir })
    await new Promise((resolve) => setTimeout(resolve, 80 + round * 30))
    await tool.close()
    const service = await starting
    expect(await service.query('SELECT pg_sleep(0.1)')).toHaveLength(1)
    await service.close()
  }
})
