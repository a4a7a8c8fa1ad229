import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { closeAll, Opener } from './opener.ts'
import { makePlace, removePlaces, untilStopped } from './places.ts'

afterEach(closeAll)
afterAll(removePlaces)

test('the first start makes a database, the second finds it again', async () => {
  const dataDir = join(makePlace(), 'data')
  const first = await Opener.begin({ dataDir })
  expect(first.open).toMatchObject({ adopted: false, folder: join(dataDir, 'postgres') })
  expect(first.said).toContain(`Making a private PostgreSQL 18.4 in ${dataDir}/postgres`)
  const [settings] = await first.query(`
    CREATE TABLE kept AS SELECT 'Grüße'::text AS word;
    SELECT current_user AS "user", current_database() AS database, current_setting('server_encoding') AS encoding,
      current_setting('data_checksums') AS checksums, current_setting('fsync') AS fsync,
      current_setting('listen_addresses') AS addresses, lower('ÄÖ') AS lower, 'Z' < 'a' AS "byCodePoint"
  `.split(';')[0]!).then(() =>
    first.query(`
      SELECT current_user AS "user", current_database() AS database, current_setting('server_encoding') AS encoding,
        current_setting('data_checksums') AS checksums, current_setting('fsync') AS fsync,
        current_setting('listen_addresses') AS addresses, lower('ÄÖ') AS lower, 'Z' < 'a' AS "byCodePoint"`),
  )
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
  await first.close()
  expect(findPostmaster(first.open.folder)).toBeUndefined()
  expect(existsSync(first.open.connection.host)).toBe(false)

  const second = await Opener.begin({ dataDir })
  expect(second.open.adopted).toBe(false)
  expect(second.said).toBe('')
  expect(await second.query('SELECT word FROM kept')).toEqual([{ word: 'Grüße' }])
})
