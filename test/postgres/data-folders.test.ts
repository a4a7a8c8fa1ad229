import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { initialize } from '../../src/server/postgres/initialize.ts'
import { locateBinaries } from '../../src/server/postgres/locate.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { currentUser, unprivilegedUser } from '../../src/server/postgres/system-user.ts'
import { createFolder, isRoot, nobody, removeFolders } from './folders.ts'
import { closeAll, Opener } from './opener.ts'

afterEach(closeAll)
afterAll(removeFolders)

const databaseUser = isRoot ? unprivilegedUser() : currentUser()
const createKeptTable = 'CREATE TABLE kept AS SELECT 1 AS one'

/** Shared by tests that need a database and leave it stopped, because initializing takes a second. */
const parent = createFolder()
const long = Array<string>(6).fill('a-folder-with-quite-a-long-name-to-exceed-it')
const sharedFolder = join(parent, ...long, "Bob's  data & more", 'Ünïcode')

test("a data folder's name may have spaces, quotes and umlauts, and its path may be longer than the limit for socket paths", async () => {
  const opener = await Opener.start({ dataDir: sharedFolder })
  expect(await opener.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(opener.open.connection.host.length).toBeLessThan(90)
})

test('if the data folder cannot be created, the error names the folder and the user', async () => {
  const file = join(createFolder(), 'file')
  writeFileSync(file, '')
  const opener = await Opener.start({ dataDir: join(file, 'data') })
  const { username } = userInfo()
  expect(opener.error).toBe(
    `PrivatePostgresError: Handrail cannot use the data folder ${file}/data as the user ${username} (ENOTDIR). ` +
      'Make it writable for that user, or set DATA_DIR to another folder.',
  )
})

test('a data folder of another major version is refused with instructions to migrate it', async () => {
  const first = await Opener.start({ dataDir: sharedFolder })
  await first.close()
  const file = join(first.open.folder, 'PG_VERSION')
  const version = readFileSync(file, 'utf8')
  writeFileSync(file, '12\n')
  onTestFinished(() => writeFileSync(file, version))
  const second = await Opener.start({ dataDir: sharedFolder })
  expect(second.error).toMatch(
    /was created by PostgreSQL 12, which is not installed .*Install PostgreSQL 12.*handrail backup FILE.*handrail restore FILE/,
  )
})

test('the folder of the database may be a symbolic link', async () => {
  const dataDir = sharedFolder
  const first = await Opener.start({ dataDir })
  await first.query(createKeptTable)
  await first.close()
  const elsewhere = join(createFolder(), 'moved')
  renameSync(first.open.folder, elsewhere)
  symlinkSync(elsewhere, first.open.folder)
  onTestFinished(() => {
    rmSync(first.open.folder)
    renameSync(elsewhere, first.open.folder)
  })
  const second = await Opener.start({ dataDir })
  expect(await second.query('SELECT one FROM kept')).toEqual([{ one: 1 }])
  await second.close()
  expect(findPostmaster(elsewhere)).toBeUndefined()
})

test('a folder that contains something else is left unchanged', async () => {
  const dataDir = createFolder()
  const path = join(dataDir, 'postgres')
  mkdirSync(path)
  writeFileSync(join(path, 'letter.txt'), 'dear')
  if (isRoot) chmodSync(path, 0o777)
  const binaries = locateBinaries(databaseUser, dataDir, undefined, () => undefined)
  // What they would create does not matter: it is discarded.
  const stub = join(createFolder(), 'stub')
  writeFileSync(stub, '#!/bin/sh\n', { mode: 0o755 })
  const stubs = { ...binaries, initdb: stub, postgres: stub }
  await expect(initialize({ path, user: databaseUser }, stubs)).rejects.toThrow(
    /could not create a database in .*ENOTEMPTY/,
  )
  expect(readdirSync(dataDir)).toEqual(['postgres'])
  expect(readdirSync(path)).toEqual(['letter.txt'])
})

test('if the database cannot be created in a new data folder, nothing is left behind', async () => {
  const folder = createFolder()
  const binaries = locateBinaries(databaseUser, folder, undefined, () => undefined)
  await (await Opener.start({ dataDir: sharedFolder })).close()
  // A copy in which the database exists already.
  const initdb = join(folder, 'initdb')
  const source = `${join(sharedFolder, 'postgres')}/.`.replaceAll("'", `'\\''`)
  writeFileSync(initdb, `#!/bin/sh\ncp -R '${source}' "$2"\n`, { mode: 0o755 })
  const path = join(folder, 'data')
  await expect(initialize({ path, user: databaseUser }, { ...binaries, initdb })).rejects.toThrow(
    /could not create a database in .*"handrail" already exists/s,
  )
  expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^data/))
})

test.skipIf(isRoot && !nobody)(
  'a regular user needs a writable data folder (skipped if the user nobody cannot run Node)',
  async () => {
    const dataDir = createFolder()
    chmodSync(dataDir, 0o555)
    const opener = await Opener.start({ dataDir, ...(nobody && { user: nobody }) })
    const name = isRoot ? 'nobody' : userInfo().username
    expect(opener.error).toBe(
      `PrivatePostgresError: The user ${name} cannot write to the data folder ${dataDir} (EACCES). ` +
        'Make it writable for that user, or set DATA_DIR to another folder.',
    )
  },
)

test.skipIf(!nobody)(
  "a regular user's database is in the data folder (needs root to switch users)",
  async () => {
    const dataDir = createFolder(nobody)
    const first = await Opener.start({ dataDir, user: nobody! })
    expect(first.open).toMatchObject({ wasRunning: false, folder: join(dataDir, 'postgres') })
    expect(lstatSync(first.open.folder).uid).toBe(nobody!.uid)
    await first.query(createKeptTable)
    await first.kill()
    const second = await Opener.start({ dataDir, user: nobody! })
    expect(second.open.wasRunning).toBe(true)
    await second.close()

    // Root keeps using the user who owns the database.
    const third = await Opener.start({ dataDir })
    expect(await third.query('SELECT one FROM kept')).toEqual([{ one: 1 }])
  },
)

test.skipIf(!nobody)(
  "a regular user gets the owner's name if the database belongs to someone else (needs root)",
  async () => {
    const dataDir = createFolder()
    mkdirSync(join(dataDir, 'postgres'))
    const opener = await Opener.start({ dataDir, user: nobody! })
    expect(opener.error).toMatch(
      /The database in .* belongs to the user root, and Handrail runs as the user nobody/,
    )
  },
)

test.skipIf(!isRoot)(
  'if only root can access the data folder, the database is in /var/lib/handrail (needs root)',
  async () => {
    const closed = createFolder()
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'data')
    const first = await Opener.start({ dataDir })
    const base = dirname(first.open.folder)
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    expect(base).toMatch(/^\/var\/lib\/handrail\/[0-9a-f]{16}$/)
    expect(first.printed).toContain(`The database of ${dataDir} is stored in ${base}`)
    await first.query(createKeptTable)
    await first.close()

    // It stays there even if the folder becomes accessible later: never start over with an empty
    // database.
    chmodSync(closed, 0o755)
    const second = await Opener.start({ dataDir })
    expect(second.open.folder).toBe(first.open.folder)
    expect(await second.query('SELECT one FROM kept')).toEqual([{ one: 1 }])
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    await second.close()

    // A regular user does not get an empty one either.
    if (!nobody || lstatSync(first.open.folder).uid === nobody.uid) return
    chownSync(dataDir, nobody.uid, nobody.gid)
    const third = await Opener.start({ dataDir, user: nobody })
    expect(third.error).toMatch(
      /The database in \S+ belongs to the user \w+, and Handrail runs as the user nobody/,
    )
    expect(third.error).toContain(first.open.folder)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  },
)

test.skipIf(!isRoot)(
  'root gets an error if a data folder with a database becomes inaccessible (needs root)',
  async () => {
    await (await Opener.start({ dataDir: sharedFolder })).close()
    chmodSync(parent, 0o700)
    onTestFinished(() => chmodSync(parent, 0o755))
    const opener = await Opener.start({ dataDir: sharedFolder })
    expect(opener.error).toMatch(/belongs to the user \w+, who can no longer access that folder/)
  },
)
