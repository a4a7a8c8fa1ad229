import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Logger } from '../../lib/logger.ts'
import { explainConnectionError, StartError } from '../../lib/start-error.ts'
import { applyStartUpSql } from './apply-start-up-sql.ts'
import { openConnectionPool } from './connection-pool.ts'
import { migrate } from './migrate.ts'
import { camelCaseRow, runStatement } from './pipelined-statement.ts'
import { appRole, type RoleMode } from './role-mode.ts'
import type { Schema } from './schema.ts'
import { createWakeUps, type WakeUps } from './wake-ups.ts'

/** A transaction in one workspace. */
export type Transaction = {
  db: Kysely<Schema>
  workspaceId: string
  /** Calls the function once the transaction has committed, and not if it is rolled back. */
  afterCommit(call: () => void): void
  /**
   * After the commit, wakes up the listeners of this workspace and of the topic, if given. A topic
   * is a task id or a constant such as deliveriesDue.
   */
  wakeUp(topic?: string): void
  /**
   * Runs a statement that is prepared once per connection: for frequent statements with a fixed
   * text. Without a name it is planned each time.
   */
  prepared<Row>(name: string | undefined, statement: string, values: unknown[]): Promise<Row[]>
}

/**
 * The part of a transaction that a single statement needs. With `statementIn`, each `prepared` call
 * has committed when it returns, and `wakeUp` is sent immediately, so call it afterwards.
 */
export type StatementRunner = Pick<Transaction, 'workspaceId' | 'wakeUp'> & {
  prepared<Row>(name: string, statement: string, values: unknown[]): Promise<Row[]>
}

export type Database = {
  inWorkspace<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** For single statements, in one round trip. Each `prepared` is its own transaction. */
  statementIn(workspaceId: string): StatementRunner
  /**
   * Like `statementIn`, but with the access of `allWorkspaces` or `owner`, or for a `lookup` before
   * the workspace is known: call only the functions of lookup-functions.ts. The app role sees no
   * rows without them; a forced owner does (lookupAccess).
   */
  statementAs(access: 'lookup' | 'all-workspaces' | 'owner'): Pick<StatementRunner, 'prepared'>
  /**
   * As the owner, with all rows of all workspaces: for jobs, operators' commands, setup, health,
   * metrics, the check of waits, and sign-in sessions, which belong to no workspace.
   */
  allWorkspaces<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  /** For tables that only the owner uses, such as better-auth's, OAuth clients and MCP sessions. */
  owner: Kysely<Schema>
  roleMode: RoleMode
  pool: pg.Pool
  wakeUps: WakeUps
  close(): Promise<void>
}

export type ConnectOptions = {
  url: string
  directUrl: string
  poolSize: number
  /**
   * For a service, whose requests must not hang on an unresponsive database. Not for commands,
   * whose statements may take minutes.
   */
  killStalledConnections: boolean
  /** Fails if migrations or start-up SQL are pending, instead of applying them. */
  refusesPendingChanges?: boolean
  log: Logger
}

export async function openDatabase(options: ConnectOptions): Promise<Database> {
  const { url, directUrl, poolSize, killStalledConnections, log } = options
  const pool = openConnectionPool({ url, size: poolSize, killsStalled: killStalledConnections, log })
  const owner = kyselyForPool(pool)
  // Behind a pooler each transaction may get another connection, without our prepared statements.
  const cachePlans = url === directUrl
  try {
    const mode = await migrateAndSecure(options)
    const wakeUps = createWakeUps(directUrl, log)
    const context = { pool, wakeUps, mode, cachePlans }
    const runners = {
      lookup: createStatementRunner(context, 'single-lookup', [toSetConfig(lookupAccess(mode))]),
      'all-workspaces': createStatementRunner(context, 'single-all-workspaces', [
        toSetConfig(allWorkspacesOn),
      ]),
      owner: createStatementRunner(context, 'single-owner', []),
    }
    return {
      inWorkspace: (workspaceId, work) => inWorkspace(context, workspaceId, work),
      statementIn: (workspaceId) => statementRunnerIn(context, workspaceId),
      statementAs: (access) => runners[access],
      allWorkspaces: (work) => inTransaction(pool, `BEGIN; ${allWorkspacesOn}`, work),
      owner,
      roleMode: mode,
      pool,
      wakeUps,
      async close() {
        await wakeUps.close()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function migrateAndSecure(options: ConnectOptions): Promise<RoleMode> {
  const { url, directUrl, log, refusesPendingChanges = false } = options
  const pool = new pg.Pool({ connectionString: directUrl, max: 2, application_name: 'handrail-migrate' })
  pool.on('error', (error) => log.warn({ err: error }, 'migration connection failed'))
  // If the connection in use is cut, its statement rejects. Without a listener the process would end
  // with an uncaught error, and leave the private PostgreSQL running.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = kyselyForPool(pool)
  try {
    await requireReachable(pool, url === directUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')
    return await migrate(db, { log, refusesPending: refusesPendingChanges }, applyStartUpSql)
  } finally {
    await db.destroy()
  }
}

async function requireReachable(pool: pg.Pool, variable: string): Promise<void> {
  try {
    ;(await pool.connect()).release()
  } catch (error) {
    throw new StartError(explainConnectionError(error, variable))
  }
}

export function kyselyForPool(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

type PoolContext = { pool: pg.Pool; wakeUps: WakeUps; mode: RoleMode; cachePlans: boolean }

function inWorkspace<T>(
  { pool, wakeUps, mode, cachePlans }: PoolContext,
  workspaceId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // The id becomes part of the SQL text, because SET takes no parameters.
  requireWorkspaceId(workspaceId)
  const afterCommit: (() => void)[] = []
  const begin = `BEGIN; ${asApp(mode)}; SET LOCAL handrail.workspace = '${workspaceId}'`
  return inTransaction(
    pool,
    begin,
    (db, client) =>
      work({
        db,
        workspaceId,
        afterCommit: (call) => afterCommit.push(call),
        wakeUp: (topic) => afterCommit.push(() => wakeUps.announce(workspaceId, topic)),
        async prepared<Row>(name: string | undefined, text: string, values: unknown[]) {
          const { rows } = await client.query({ ...(cachePlans && { name }), text, values })
          return rows.map(camelCaseRow<Row>)
        },
      }),
    () => {
      for (const call of afterCommit) call()
    },
  )
}

function statementRunnerIn(context: PoolContext, workspaceId: string): StatementRunner {
  requireWorkspaceId(workspaceId)
  const settings = [toSetConfig(asApp(context.mode)), "set_config('handrail.workspace', $1, true)"]
  return {
    workspaceId,
    wakeUp: (topic) => context.wakeUps.announce(workspaceId, topic),
    ...createStatementRunner(context, 'single-workspace', settings, [workspaceId]),
  }
}

// By default PostgreSQL replans a prepared statement with a list of ids on every call, which takes
// longer than running it. With one client 1.5 x reads and 1.4 x answers per second, no gain for
// creates (2026-11). See docs/decisions/020-batching.md.
const genericPlan = "set_config('plan_cache_mode', 'force_generic_plan', true)"

function createStatementRunner(
  { pool, cachePlans }: PoolContext,
  settingsName: string,
  settings: string[],
  settingsValues: unknown[] = [],
): Pick<StatementRunner, 'prepared'> {
  const first = {
    name: settingsName,
    text: `SELECT ${[...settings, genericPlan].join(', ')}`,
    values: settingsValues,
  }
  return {
    async prepared<Row>(name: string, text: string, values: unknown[]) {
      const client = await pool.connect()
      try {
        // Prefixed: pg keeps its own list of prepared names (Transaction.prepared), and preparing a
        // name twice on a connection is an error.
        return await runStatement<Row>(client, first, { name: `single-${name}`, text, values }, cachePlans)
      } finally {
        client.release()
      }
    },
  }
}

function requireWorkspaceId(workspaceId: string): void {
  if (!/^wsp_[0-9a-z]{26}$/.test(workspaceId)) throw new Error('Invalid workspace id.')
}

/** Converts `SET LOCAL ROLE x` or `SET LOCAL name = value` to a function call for use in a SELECT. */
function toSetConfig(set: string): string {
  const [, name, value] = /^SET LOCAL (\S+)(?: =)? (\S+)$/.exec(set)!
  return `set_config('${name!.toLowerCase()}', '${value}', true)`
}

function asApp(mode: RoleMode): string {
  return mode.kind === 'app-role' ? `SET LOCAL ROLE ${appRole}` : 'SET LOCAL handrail.crossing = off'
}

/**
 * The app role reads other workspaces only through the lookup functions. A forced owner is subject
 * to policies inside them too, so it needs access to all rows.
 */
function lookupAccess(mode: RoleMode): string {
  return mode.kind === 'app-role' ? asApp(mode) : allWorkspacesOn
}

const allWorkspacesOn = 'SET LOCAL handrail.crossing = on'

/** Like Kysely's transaction(), but sends role and workspace in one message with BEGIN. */
async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (db: Kysely<Schema>, client: pg.PoolClient) => Promise<T>,
  afterCommit?: () => void,
): Promise<T> {
  const client = await pool.connect()
  let isUnusable = false
  try {
    let result: T
    try {
      await client.query(begin)
      result = await work(kyselyForClient(client), client)
    } catch (error) {
      isUnusable = hasOutdatedStatement(error)
      // On a broken connection this fails, and the server rolls back by itself.
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
    await client.query('COMMIT')
    afterCommit?.()
    return result
  } finally {
    client.release(isUnusable)
  }
}

/**
 * Whether a prepared statement is outdated: another node has migrated a column that it returns, or
 * the server no longer has it. pg would use the statement again on this connection.
 */
function hasOutdatedStatement(error: unknown): boolean {
  return ['0A000', '26000'].includes(String((error as { code?: unknown }).code))
}

const kyselyByClient = new WeakMap<pg.ClientBase, Kysely<Schema>>()

/** A Kysely instance on one connection, cached per connection. */
export function kyselyForClient(client: pg.ClientBase): Kysely<Schema> {
  const cached = kyselyByClient.get(client)
  if (cached) return cached
  const borrowed = { query: client.query.bind(client), release: () => undefined }
  const db = kyselyForPool({ connect: async () => borrowed as never, end: async () => undefined })
  kyselyByClient.set(client, db)
  return db
}
