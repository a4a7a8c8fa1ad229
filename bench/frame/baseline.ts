import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onExit } from './on-exit.ts'

// The same as the default of DATABASE_POOL, so that both use as many database connections.
export const poolSize = 10

/** Runs a program of `baselines/` in its own process. The program prints its port in the first line. */
export async function startBaseline(name: string, ...args: string[]) {
  const program = fileURLToPath(new URL(`../baselines/${name}.js`, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const forget = onExit(() => child.kill())
  const [port] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    pid: child.pid!,
    async stop() {
      forget()
      child.kill()
      await once(child, 'exit')
    },
  }
}

/**
 * Creates a database in the service's PostgreSQL, so that baseline and service write to the same disk.
 * Returns its URL.
 */
export async function createBaselineDatabase(serviceDatabase: string, tables: string): Promise<string> {
  const databaseUrl = serviceDatabase.replace(/\/[^/?]*\?/, '/baseline?')
  await query(serviceDatabase, 'CREATE DATABASE baseline')
  await query(databaseUrl, tables)
  return databaseUrl
}

async function query(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
