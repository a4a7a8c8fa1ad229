import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { closeAll, Opener } from './opener.ts'
import { isRoot, makePlace, nobody, removePlaces } from './places.ts'

afterEach(closeAll)
afterAll(removePlaces)

const KEEP = 'CREATE TABLE kept AS SELECT 1 AS one'

test('a data folder may have blanks, quotes and umlauts in its name', async () => {
  const opener = await Opener.begin({ dataDir: join(makePlace(), "Bob's  data & more", 'Ünïcode') })
  expect(await opener.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a data folder may have a path longer than any socket could', async () => {
  const dataDir = join(makePlace(), ...Array<string>(6).fill('a-folder-with-quite-a-long-name-of-its-own'))
  const opener = await Opener.begin({ dataDir })
  expect(await opener.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(opener.open.connection.host.length).toBeLessThan(90)
})

test('a data folder that cannot be made is named, with the user', async () => {
  const file = join(makePlace(), 'file')
  writeFileSync(file, '')
  const opener = await Opener.begin({ dataDir: join(file, 'data') })
  const { username } = userInfo()
  expect(opener.error).toBe(
    `PrivatePostgresError: Handrail cannot use the data folder ${file}/data as the user ${username} (ENOTDIR). ` +
      'Make it a folder that user may write, or set DATA_DIR to another one.',
  )
})

test('a data folder made by another major version is refused by name, with the way to carry it over', async () => {
  const dataDir = makePlace()
  const first = await Opener.begin({ dataDir })
  await first.close()
  writeFileSync(join(first.open.folder, 'PG_VERSION'), '12\n')
  const second = await Opener.begin({ dataDir })
  expect(second.error).toMatch(
    /was made by PostgreSQL 12, which is not found here .*handrail backup FILE.*handrail restore FILE.*install PostgreSQL 12/,
  )
})

test('a folder full of something else is left alone', async () => {
  const dataDir = makePlace()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'dear')
  if (isRoot) chmodSync(join(dataDir, 'postgres'), 0o777)
  const opener = await Opener.begin({ dataDir })
  expect(opener.error).toMatch(/could not make a database in .*ENOTEMPTY/)
  expect(readdirSync(dataDir)).toEqual(['postgres'])
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['letter.txt'])
})

test.skipIf(isRoot && !nobody)(
  'a plain user needs a data folder they may write (skipped where nobody cannot run Node)',
  async () => {
    const dataDir = makePlace()
    chmodSync(dataDir, 0o555)
    const opener = await Opener.begin({ dataDir, ...(nobody && { user: nobody }) })
    const name = isRoot ? 'nobody' : userInfo().username
    expect(opener.error).toBe(
      `PrivatePostgresError: The user ${name} may not write the data folder ${dataDir} (EACCES). ` +
        'Make it writable for that user, or set DATA_DIR to another folder.',
    )
  },
)

test.skipIf(!nobody)(
  'a plain user has the database in the data folder (needs root to become one)',
  async () => {
    const dataDir = makePlace(nobody)
    const first = await Opener.begin({ dataDir, user: nobody! })
    expect(first.open).toMatchObject({ adopted: false, folder: join(dataDir, 'postgres') })
    expect(lstatSync(first.open.folder).uid).toBe(nobody!.uid)
    await first.query(KEEP)
    await first.kill()
    const second = await Opener.begin({ dataDir, user: nobody! })
    expect(second.open.adopted).toBe(true)
    await second.close()

    // Root keeps to the user the database belongs to.
    const third = await Opener.begin({ dataDir })
    expect(await third.query('SELECT one FROM kept')).toEqual([{ one: 1 }])
  },
)

test.skipIf(!nobody)(
  "a plain user is told whose database it is when it is another's (needs root)",
  async () => {
    const dataDir = makePlace()
    mkdirSync(join(dataDir, 'postgres'))
    const opener = await Opener.begin({ dataDir, user: nobody! })
    expect(opener.error).toMatch(
      /The database in .* belongs to the user root, and Handrail runs as the user nobody/,
    )
  },
)

test.skipIf(!isRoot)(
  'root with a data folder closed to others keeps the database in /var/lib/handrail (needs root)',
  async () => {
    const closed = makePlace()
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'data')
    const first = await Opener.begin({ dataDir })
    const base = dirname(first.open.folder)
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    expect(base).toMatch(/^\/var\/lib\/handrail\/[0-9a-f]{16}$/)
    expect(first.said).toContain(`The database of ${dataDir} lives in ${base}`)
    await first.query(KEEP)
    await first.close()

    // And keeps it there when the folder is opened later: it must not begin again with an empty one.
    chmodSync(closed, 0o755)
    const second = await Opener.begin({ dataDir })
    expect(second.open.folder).toBe(first.open.folder)
    expect(await second.query('SELECT one FROM kept')).toEqual([{ one: 1 }])
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    await second.close()
  },
)

test.skipIf(!isRoot)(
  'root is told when a data folder is closed after it got a database (needs root)',
  async () => {
    const place = makePlace()
    const dataDir = join(place, 'data')
    await (await Opener.begin({ dataDir })).close()
    chmodSync(place, 0o700)
    const opener = await Opener.begin({ dataDir })
    expect(opener.error).toMatch(/belongs to the user \w+, who can no longer enter that folder/)
  },
)
