import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { createFolder, removeFolders } from './folders.ts'
import { closeAll, Opener } from './opener.ts'

afterEach(closeAll)
afterAll(removeFolders)

// Shared by all tests, because initializing takes a second. Each test leaves it stopped.
const dataDir = createFolder()

const anotherIsRunning =
  /^PrivatePostgresError: Another Handrail \(process \d+\) is running on this data folder \(.*\)\. Stop it first/

test('of two services that start at once on a new data folder, one wins and the other gets an error; a tool uses its PostgreSQL and leaves it running', async () => {
  rmSync(join(dataDir, 'postgres'), { recursive: true, force: true })
  const both = await Promise.all([Opener.start({ dataDir }), Opener.start({ dataDir })])
  const winner = both.find((opener) => !opener.error)!
  const loser = both.find((opener) => opener !== winner)!
  expect(loser.error).toMatch(anotherIsRunning)
  const tool = await Opener.start({ dataDir, as: 'command' })
  expect(tool.open).toEqual({ ...winner.open, wasRunning: true })
  await tool.close()
  expect(await winner.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(readdirSync(dataDir)).toEqual(['postgres'])
  await winner.close()
  expect(findPostmaster(winner.open.folder)).toBeUndefined()
})

test('without a service, a tool starts PostgreSQL, and the last of several tools to close stops it', async () => {
  const first = await Opener.start({ dataDir, as: 'command' })
  expect(first.open.wasRunning).toBe(false)
  const second = await Opener.start({ dataDir, as: 'command' })
  await first.close()
  expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  const third = await Opener.start({ dataDir, as: 'command' })
  await Promise.all([second.close(), third.close()])
  expect(findPostmaster(first.open.folder)).toBeUndefined()
  expect(existsSync(first.open.connection.host)).toBe(false)
})

test('a service takes over a PostgreSQL that a tool started', async () => {
  const tool = await Opener.start({ dataDir, as: 'command' })
  const service = await Opener.start({ dataDir })
  expect(service.open.wasRunning).toBe(true)
  await tool.close()
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a service that starts while the last tool closes gets a PostgreSQL that keeps running', async () => {
  for (const delay of [80, 125, 170]) {
    const tool = await Opener.start({ dataDir, as: 'command' })
    // The process connects after about 150 ms: close the tool shortly before and after that.
    const starting = Opener.start({ dataDir })
    await new Promise((resolve) => setTimeout(resolve, delay))
    await tool.close()
    const service = await starting
    expect(await service.query('SELECT pg_sleep(0.1)')).toHaveLength(1)
    await service.close()
  }
})
