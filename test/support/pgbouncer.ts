import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

const timeoutMilliseconds = 60_000

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>

/** A real PgBouncer in transaction mode in front of one database, with a small pool. */
export async function startPgBouncer(databaseUrl: string, poolSize: number) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const ownPort = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'handrail-pgbouncer-'))
  chmodSync(folder, 0o755) // for its unprivileged user when we are root
  const file = join(folder, 'pgbouncer.ini')
  const upstream = { host, port, user, dbname: database, ...(password && { password }) }
  writeFileSync(
    file,
    `[databases]
${database} = ${Object.entries(upstream)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
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
  const closed = once(child, 'close')
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const url = (name: string) => `postgres://someone@127.0.0.1:${ownPort}/${name}`
  const deadline = Date.now() + timeoutMilliseconds
  while (!(await isReady(url(database!)))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`pgbouncer is not ready:\n${log}`)
    await sleep(20)
  }
  return {
    url: url(database!),
    /** The number of transactions it has forwarded so far. */
    async transactions(): Promise<number> {
      const rows = await run(url('pgbouncer'), 'SHOW STATS')
      return Number(rows.find((row) => row.database === database)!.total_xact_count)
    },
    /** Replaces its connections to the database, as after `server_lifetime`. Clients do not notice. */
    async changeConnections(): Promise<void> {
      await run(url('pgbouncer'), 'RECONNECT')
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await closed
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PgBouncer refuses to run as root. The owner of a unix socket may connect to it. */
function unprivileged(host: string, port: number): { uid: number; gid: number } {
  if (!host.startsWith('/')) return { uid: 65_534, gid: 65_534 } // nobody
  const { uid, gid } = statSync(join(host, `.s.PGSQL.${port}`))
  return { uid, gid }
}

async function isReady(url: string): Promise<boolean> {
  return await run(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
}

async function run(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
