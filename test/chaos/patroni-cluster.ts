import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { currentUser, spawnOptions, unprivilegedUser } from '../../src/server/postgres/system-user.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { query } from '../support/sql.ts'

const waitOptions = { timeout: 90_000, interval: 100 }
const stopMilliseconds = 20_000

/** The configuration in docs/scaling.md, so that the documented one is tested. */
const [, haproxyBlock] = /```haproxy\n(.*?)```/s.exec(
  readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8'),
) as unknown as [string, string]

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Two PostgreSQL servers under Patroni and etcd, with HAProxy in front. On loopback, in a temporary
 * folder.
 */
export async function startCluster(isSynchronous: boolean) {
  const programs = openFolder()
  const [etcdPort, frontPort] = [await freePort(), await freePort()]
  const nodes: Node[] = []
  const end = async () => {
    for (const node of nodes) await node.stop()
    await programs.end()
  }
  try {
    await startEtcd(programs, etcdPort)
    const first = await startNode(programs, 'one', etcdPort, isSynchronous)
    nodes.push(first)
    await first.becomes('primary')
    await query(first.url, 'CREATE DATABASE handrail')
    const second = await startNode(programs, 'two', etcdPort, isSynchronous)
    nodes.push(second)
    await second.becomes(isSynchronous ? 'sync' : 'replica')
    const url = `postgres://postgres@127.0.0.1:${frontPort}/handrail`
    programs.write('haproxy.cfg', haproxyConfig(frontPort, [first, second]))
    programs.start('haproxy', 'HAPROXY_PATH', ['-f', programs.path('haproxy.cfg')])
    await vi.waitUntil(() => leadsToPrimary(url), waitOptions)
    return { url, first, second, catchUp: () => catchUp(first.url, second.url), end }
  } catch (error) {
    for (const name of ['etcd', 'one', 'two', 'haproxy']) console.error(`── ${name}\n${programs.tail(name)}`)
    await end()
    throw error
  }
}

type Programs = ReturnType<typeof openFolder>

/** A folder of the cluster, and the programs that run in it. */
function openFolder() {
  const user = process.getuid!() === 0 ? unprivilegedUser() : currentUser()
  // A killed run leaves the folder behind; test/support/shared-postgres.ts removes folders of this
  // name.
  const folder = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(folder, 0o755)
  const children: ChildProcess[] = []
  const path = (name: string) => join(folder, name)

  return {
    path,
    write: (name: string, text: string) => writeFileSync(path(name), text),
    makeFolder(name: string): string {
      mkdirSync(path(name), { mode: 0o700 })
      if (user.dropsPrivileges) chownSync(path(name), user.uid, user.gid)
      return path(name)
    },
    start(name: string, variable: string, args: string[]): ChildProcess {
      const program = process.env[variable]
      if (!program) throw new Error(`${variable} is not set: run npm run test:chaos -- failover`)
      const log = openSync(path(`${name}.log`), 'a')
      const { env, ...options } = spawnOptions(user)
      // It ends with this process, also when this process is killed.
      const child = spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], {
        ...options,
        // etcd 3.4 starts on arm64 only with this variable.
        env: { ...env, PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: 'arm64' },
        stdio: ['ignore', log, log],
      })
      child.on('error', (error) => console.error(`${name} could not be started: ${error.message}`))
      children.push(child)
      return child
    },
    /** The last lines of a program's log. */
    tail(name: string): string {
      try {
        return readFileSync(path(`${name}.log`), 'utf8')
          .split('\n')
          .slice(-25)
          .join('\n')
      } catch {
        return ''
      }
    },
    async end(): Promise<void> {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startEtcd(programs: Programs, port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const peerUrl = `http://127.0.0.1:${await freePort()}`
  programs.start('etcd', 'ETCD_PATH', [
    '--name=etcd',
    `--data-dir=${programs.makeFolder('etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=etcd=${peerUrl}`,
  ])
  const isHealthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(isHealthy, waitOptions)
}

type Node = Awaited<ReturnType<typeof startNode>>

/** Starts Patroni, which starts PostgreSQL: as the primary if there is none, else as a standby of it. */
async function startNode(programs: Programs, name: string, etcdPort: number, isSynchronous: boolean) {
  const [port, restPort] = [await freePort(), await freePort()]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  // The other node reaches this one through a proxy that the test can cut. The service does not use
  // it.
  const line = await startDatabaseProxy(url)
  const dataDir = join(programs.makeFolder(name), 'data')
  programs.write(
    `${name}.json`,
    // JSON is valid YAML.
    JSON.stringify({
      scope: 'handrail',
      name,
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          // The shortest that Patroni accepts.
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 5,
          maximum_lag_on_failover: 1_000_000_000,
          synchronous_mode: isSynchronous,
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: new URL(line.url).host,
        data_dir: dataDir,
        bin_dir: process.env.CLUSTER_POSTGRES_BIN,
        basebackup: { checkpoint: 'fast' },
        parameters: { unix_socket_directories: programs.makeFolder(`${name}-socket`) },
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
        },
      },
    }),
  )
  const patroni = programs.start(name, 'PATRONI_PATH', [programs.path(`${name}.json`)])
  const is = (role: string) =>
    fetch(`http://127.0.0.1:${restPort}/${role}`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const killPatroni = () => patroni.kill('SIGKILL')
  const killPostgres = async () => {
    const postmaster = findPostmaster(dataDir)
    if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
    await vi.waitUntil(() => !findPostmaster(dataDir), waitOptions)
  }

  return {
    url,
    port,
    restPort,
    line,
    /** Waits for one of Patroni's health checks: primary, replica, sync. */
    becomes: (role: string) => vi.waitUntil(() => is(role), waitOptions),
    async timeline(): Promise<string> {
      const [row] = await query<{ file: string }>(url, 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file')
      return row!.file.slice(0, 8)
    },
    killPatroni,
    killPostgres,
    async stop(): Promise<void> {
      if (patroni.exitCode === null && patroni.signalCode === null && patroni.pid !== undefined) {
        // Patroni stops its PostgreSQL. If it does not, both are killed.
        patroni.kill('SIGTERM')
        const timer = setTimeout(killPatroni, stopMilliseconds)
        await once(patroni, 'exit')
        clearTimeout(timer)
      }
      await killPostgres()
      await line.cut()
    },
  }
}

/** Waits until the standby has everything that the primary has written so far. */
async function catchUp(primaryUrl: string, standbyUrl: string): Promise<void> {
  const [place] = await query<{ lsn: string }>(primaryUrl, 'SELECT pg_current_wal_lsn() AS lsn')
  const hasReplayed = async () => {
    const [row] = await query<{ has: boolean }>(
      standbyUrl,
      'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has',
      [place!.lsn],
    )
    return row!.has
  }
  await vi.waitUntil(hasReplayed, waitOptions)
}

/** Until its first checks, HAProxy takes turns between both servers, and then closes the connections to the standby. */
async function leadsToPrimary(url: string): Promise<boolean> {
  for (let turn = 0; turn < 4; turn += 1) {
    const [row] = await query<{ isStandby: boolean }>(url, 'SELECT pg_is_in_recovery() AS "isStandby"').catch(
      () => [],
    )
    if (row?.isStandby !== false) return false
  }
  return true
}

type Address = { port: number; restPort: number }

function haproxyConfig(port: number, [first, second]: readonly [Address, Address]): string {
  const replacements: [string, string][] = [
    ['bind 10.0.0.5:5432', `bind 127.0.0.1:${port}`],
    ['10.0.0.11:5432 check port 8008', `127.0.0.1:${first.port} check port ${first.restPort}`],
    ['10.0.0.12:5432 check port 8008', `127.0.0.1:${second.port} check port ${second.restPort}`],
  ]
  return replacements.reduce((block, [documented, used]) => {
    if (!block.includes(documented)) throw new Error(`docs/scaling.md does not contain ${documented}`)
    return block.replace(documented, used)
  }, haproxyBlock)
}
