import { existsSync, readdirSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { closeAll, Opener } from './opener.ts'
import { makePlace, removePlaces } from './places.ts'

afterEach(closeAll)
afterAll(removePlaces)

// One for all tests but the first, each of which leaves it stopped: making one takes a second.
const dataDir = makePlace()

const ANOTHER =
  /^PrivatePostgresError: Another Handrail \(process \d+\) is running on this data folder \(.*\)\. Stop it first/

test('of two services that start at once on a new data folder one wins and the other says so', async () => {
  const fresh = makePlace()
  const both = await Promise.all([Opener.begin({ dataDir: fresh }), Opener.begin({ dataDir: fresh })])
  const winner = both.find((opener) => !opener.error)!
  const loser = both.find((opener) => opener !== winner)!
  expect(loser.error).toMatch(ANOTHER)
  expect(await winner.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(readdirSync(fresh)).toEqual(['postgres'])
  await winner.close()
  expect(findPostmaster(winner.open.folder)).toBeUndefined()
})

test('a second service is refused and the first one keeps working', async () => {
  const first = await Opener.begin({ dataDir })
  const second = await Opener.begin({ dataDir })
  expect(second.error).toMatch(ANOTHER)
  expect(await first.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a tool beside a service uses its PostgreSQL and leaves it running', async () => {
  const service = await Opener.begin({ dataDir })
  const tool = await Opener.begin({ dataDir, as: 'tool' })
  expect(tool.open).toEqual({ ...service.open, adopted: true })
  await tool.close()
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a tool alone starts PostgreSQL for its time and leaves nothing running', async () => {
  const tool = await Opener.begin({ dataDir, as: 'tool' })
  expect(tool.open.adopted).toBe(false)
  expect(await tool.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await tool.close()
  expect(findPostmaster(tool.open.folder)).toBeUndefined()
  expect(existsSync(tool.open.connection.host)).toBe(false)
})

test('of several tools the last one to leave stops PostgreSQL', async () => {
  const first = await Opener.begin({ dataDir, as: 'tool' })
  const second = await Opener.begin({ dataDir, as: 'tool' })
  await first.close()
  expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  const third = await Opener.begin({ dataDir, as: 'tool' })
  await Promise.all([second.close(), third.close()])
  expect(findPostmaster(first.open.folder)).toBeUndefined()
})

test('a service takes over the PostgreSQL a tool has started', async () => {
  const tool = await Opener.begin({ dataDir, as: 'tool' })
  const service = await Opener.begin({ dataDir })
  expect(service.open.adopted).toBe(true)
  await tool.close()
  expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a service that starts while the last tool leaves gets a PostgreSQL that stays', async () => {
  for (let round = 0; round < 5; round++) {
    const tool = await Opener.begin({ dataDir, as: 'tool' })
    // The process takes about 150 ms to get to the database: meet it there, a little earlier and later.
    const starting = Opener.begin({ dataDir })
    await new Promise((resolve) => setTimeout(resolve, 80 + round * 30))
    await tool.close()
    const service = await starting
    expect(await service.query('SELECT pg_sleep(0.1)')).toHaveLength(1)
    await service.close()
  }
})
