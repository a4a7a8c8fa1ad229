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
    /** A superuser's URL of this run's PostgreSQL. Each test file creates its own database there. */
    databaseUrl: string
    /** A migrated database to copy, which is faster than running the migrations once per file. */
    migratedTemplate: string
    /** How to copy it: the part of CREATE DATABASE after the template. */
    copyStrategy: string
  }
}

const folderPrefix = 'handrail-test-'

/**
 * One PostgreSQL per test project: that of TEST_DATABASE_URL, otherwise a private one that is
 * deleted afterwards.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  if (external) {
    project.provide('databaseUrl', external)
    project.provide('copyStrategy', '')
    return await createTemplate(project, external)
  }
  await removeLeftovers()
  const dataDir = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const postgres = await openPrivatePostgres({
    dataDir,
    as: 'service',
    printLine: () => {},
    settings: {
      // Fast instead of durable, because the data is deleted. Tests that kill PostgreSQL use the
      // real settings.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300', // many test files at once, each with its own pool
    },
  })
  project.provide('databaseUrl', postgres.connectionString)
  // Copies files between two checkpoints, which take no time without fsync. The default writes each
  // page to the log.
  project.provide('copyStrategy', 'STRATEGY FILE_COPY')
  const dropTemplate = await createTemplate(project, postgres.connectionString)
  return async () => {
    await dropTemplate()
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function createTemplate(project: TestProject, databaseUrl: string): Promise<() => Promise<void>> {
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
  // Any connection, even autovacuum's, would block copying.
  await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  project.provide('migratedTemplate', name)
  return async () => {
    const { rows } = await run(`SELECT datname FROM pg_database WHERE starts_with(datname, '${name}')`)
    for (const { datname } of rows) await run(`DROP DATABASE ${datname} WITH (FORCE)`)
  }
}

/** Stops and deletes the PostgreSQL servers of killed runs. The last tool to disconnect stops a server. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    try {
      const postmaster = findPostmaster(join(dataDir, 'postgres'))
      // A frozen server would block us; the test that froze it may still resume it.
      if (postmaster && isFrozen(postmaster.pid)) continue
      if (postmaster) {
        const leftover = await openPrivatePostgres({ dataDir, as: 'command', printLine: () => {} })
        await leftover.close()
      }
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // It belongs to another user or is incomplete.
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
