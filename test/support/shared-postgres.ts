import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { openPrivatePostgres } from '../../src/server/postgres/private-postgres.ts'
import { openDatabase } from '../../src/server/storage/engine/database.ts'
import { asOwner } from './rows.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection to a PostgreSQL of this run. Each test file makes its own database there. */
    databaseUrl: string
    /** A database there that has gone through all migrations, to be copied: that is quicker than to migrate once a file. */
    migratedTemplate: string
  }
}

const PREFIX = 'handrail-test-'

/** One PostgreSQL for a whole ring: the one of TEST_DATABASE_URL, else a private one that is thrown away. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  if (external) {
    project.provide('databaseUrl', external)
    return await makeTemplate(project, external)
  }
  await sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const postgres = await openPrivatePostgres({
    dataDir,
    as: 'service',
    printLine: () => {},
    settings: {
      // Thrown away anyway: quick rather than safe. test/postgres, and what is killed with its PostgreSQL, run on the real settings.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300', // many test files at once, each with its own pools
    },
  })
  project.provide('databaseUrl', postgres.connectionString)
  const dropTemplate = await makeTemplate(project, postgres.connectionString)
  return async () => {
    await dropTemplate()
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function makeTemplate(project: TestProject, databaseUrl: string): Promise<() => Promise<void>> {
  const name = `test_template_${randomBytes(6).toString('hex')}`
  const url = databaseUrl.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  const run = (statement: string) => asOwner(databaseUrl, (client) => client.query(statement))
  await run(`CREATE DATABASE ${name}`)
  const migrated = await openDatabase({
    url,
    directUrl: url,
    poolSize: 2,
    killStalledConnections: false,
    log: pino({ level: 'silent' }),
  })
  await migrated.close()
  // Whoever is connected to it, if only to vacuum, would hold up the copies.
  await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  project.provide('migratedTemplate', name)
  return async () => {
    const { rows } = await run(`SELECT datname FROM pg_database WHERE starts_with(datname, '${name}')`)
    for (const { datname } of rows) await run(`DROP DATABASE ${datname} WITH (FORCE)`)
  }
}

/** A killed run leaves its PostgreSQL behind. A tool that leaves last stops it. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    try {
      const postmaster = findPostmaster(join(dataDir, 'postgres'))
      // Whoever froze it may wake it; until then it would keep us waiting for ever.
      if (postmaster && isFrozen(postmaster.pid)) continue
      if (postmaster) {
        const left = await openPrivatePostgres({ dataDir, as: 'tool', printLine: () => {} })
        await left.close()
      }
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // Another user's, or half made: not ours to judge.
    }
  }
}

function isFrozen(pid: number): boolean {
  if (process.platform !== 'linux') return false
  return /^\d+ \(.*\) [Tt]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
