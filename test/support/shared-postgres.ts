import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { openPrivatePostgres } from '../../src/server/postgres/private-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection to a PostgreSQL of this run. Each test file makes its own database there. */
    databaseUrl: string
  }
}

const PREFIX = 'handrail-test-'

/** One PostgreSQL for a whole ring: the one of TEST_DATABASE_URL, else a private one that is thrown away. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const external = process.env.TEST_DATABASE_URL
  if (external) {
    project.provide('databaseUrl', external)
    return undefined
  }
  await sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  const postgres = await openPrivatePostgres({
    dataDir,
    as: 'service',
    say: () => {},
    settings: {
      // Thrown away anyway: quick rather than safe. test/postgres and the chaos ring run on the real settings.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300', // many test files at once, each with its own pools
    },
  })
  project.provide('databaseUrl', postgres.connectionString)
  return async () => {
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A killed run leaves its PostgreSQL behind. A tool that leaves last stops it. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    try {
      if (findPostmaster(join(dataDir, 'postgres'))) {
        const left = await openPrivatePostgres({ dataDir, as: 'tool', say: () => {} })
        await left.close()
      }
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // Another user's, or half made: not ours to judge.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
