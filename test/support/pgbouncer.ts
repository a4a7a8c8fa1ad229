import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

const patienceMilliseconds = 10_000

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>

/** A real PgBouncer before one database, which gives each transaction whichever of a few connections is free. */
export async function startPgBouncer(databaseUrl: string, poolSize: number) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const own = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'handrail-pgbouncer-'))
  chmodSync(folder, 0o755) // for the user it runs as when we are root
  const file = join(folder, 'pgbouncer.ini')
  const behind = { host, port, user, dbname: database, ...(password && { password }) }
  writeFileSync(
    file,
    `[databases]
${database} = ${Object.entries(behind)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
admin_users = someone
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  )
  const child = spawn(process.env.PGBOUNCER_PATH ?? 'pgbouncer', [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 && unprivileged(host, port)),
  })
  let log = ''
  child.stderr!.on('data', (chunk) => {
    log += chunk
  })
  const over = once(child, 'close')
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const url = (name: string) => `postgres://someone@127.0.0.1:${own}/${name}`
  const deadline = Date.now() + patienceMilliseconds
  while (!(await answers(url(database!)))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`pgbouncer is not ready:\n${log}`)
    await sleep(20)
  }
  return {
    url: url(database!),
    /** Transactions that went through it so far. */
    async transactions(): Promise<number> {
      const rows = await ask(url('pgbouncer'), 'SHOW STATS')
      return Number(rows.find((row) => row.database === database)!.total_xact_count)
    },
    /** Other connections to the database from now on, as after `server_lifetime`. Those who use it do not notice. */
    async changeConnections(): Promise<void> {
      await ask(url('pgbouncer'), 'RECONNECT')
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await over
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It refuses to run as root. A socket lets its owner in. */
function unprivileged(host: string, port: number): { uid: number; gid: number } {
  if (!host.startsWith('/')) return { uid: 65_534, gid: 65_534 } // nobody
  const { uid, gid } = statSync(join(host, `.s.PGSQL.${port}`))
  return { uid, gid }
}

async function answers(url: string): Promise<boolean> {
  return await ask(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
}

async function ask(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
