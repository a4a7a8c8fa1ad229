import type { Socket } from 'node:net'
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import { migrate } from './migrate.ts'
import { PipelinedStatement } from './pipelined-statement.ts'
import { appRole, type RoleMode } from './role-mode.ts'
import { secureRows } from './row-security.ts'
import type { Schema } from './schema.ts'
import { createWakeUps, type WakeUps } from './wake-ups.ts'

/** One transaction of one workspace: what it writes is seen by nobody else, and the wake-ups it asks for follow the commit. */
export type Transaction = {
  db: Kysely<Schema>
  workspaceId: string
  /** Readers of this workspace, and of this task if one is named, look again once this has committed. */
  wakeUp(taskId?: string): void
  /** Runs a statement whose plan the connection keeps: for what is run all the time and always prepared the same way. */
  prepared<Row>(name: string, statement: string, values: unknown[]): Promise<Row[]>
}

/** What a single statement needs of a transaction. */
export type Writer = Pick<Transaction, 'workspaceId' | 'wakeUp' | 'prepared'>

export type Database = {
  inWorkspace<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** For one statement that stands alone: one statement to the database and back. Each `prepared` is a transaction of its own. */
  statementIn(workspaceId: string): Writer
  /** The same beyond one workspace: as `crossing`, as `acrossWorkspaces`, and as `owner`. */
  statementAs(where: 'crossing' | 'across' | 'owner'): Pick<Writer, 'prepared'>
  /** Requests before a workspace is known: the named crossings of row-security.ts, as the app role. */
  crossing<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  /** Over all workspaces: the operator's commands, the health check, jobs. */
  acrossWorkspaces<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  /** What belongs to no workspace: better-auth's tables, facts of the service, sessions of the MCP door. */
  owner: Kysely<Schema>
  pool: pg.Pool
  wakeUps: WakeUps
  close(): Promise<void>
}

// Numbers that PostgreSQL sends as text because a double may not hold them stay text (bigint);
// date columns do not occur; timestamps become Date.

export type ConnectOptions = {
  url: string
  directUrl: string
  poolSize: number
  /** Requests are not to hang on a database that has stopped answering; a command may run statements that take their time. */
  killStalledConnections: boolean
  log: Logger
}

const connectMilliseconds = 5_000
// A new connection knows no plans: the first requests after a pause would pay for making them.
const idleMilliseconds = 600_000
// Statements of requests and jobs take milliseconds.
const stalledMilliseconds = 10_000

export async function openDatabase(options: ConnectOptions): Promise<Database> {
  const { url, directUrl, poolSize, killStalledConnections, log } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    idleTimeoutMillis: idleMilliseconds,
    connectionTimeoutMillis: connectMilliseconds,
    application_name: 'handrail',
  })
  // A connection that breaks (a restart of PostgreSQL) is replaced by the pool, and what runs on it fails by itself. Both
  // events would end the process if nobody listened.
  pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'an idle database connection broke'))
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (killStalledConnections) killWhenStalled(client)
  })
  const owner = kyselyOn(pool)
  // A pooler may give each transaction another connection, which knows no plan of ours.
  const keepPlans = url === directUrl
  try {
    const mode = await migrateAndSecure(directUrl, log)
    const wakeUps = createWakeUps(directUrl, log)
    const context = { pool, wakeUps, mode, keepPlans }
    const singles = {
      crossing: createStatementRunner(context, 'single-crossing', [settingOf(crossingAsApp(mode))]),
      across: createStatementRunner(context, 'single-across', [settingOf(cross)]),
      owner: createStatementRunner(context, 'single-owner', []),
    }
    return {
      inWorkspace: (workspaceId, work) => inWorkspace(context, workspaceId, work),
      statementIn: (workspaceId) => statementRunnerIn(context, workspaceId),
      statementAs: (where) => singles[where],
      crossing: (work) => inTransaction(pool, `BEGIN READ ONLY; ${crossingAsApp(mode)}`, work),
      acrossWorkspaces: (work) => inTransaction(pool, `BEGIN; ${cross}`, work),
      owner,
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

/** A frozen server or a line that swallows everything breaks no connection: one that owes an answer for too long is cut. */
function killWhenStalled(client: pg.PoolClient): void {
  // pg's types say nothing of these.
  const inner = client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
  const { stream } = inner.connection
  stream.setTimeout(stalledMilliseconds)
  // As a listener of its own: a callback given with the time would be called once, and a connection is idle first.
  stream.on('timeout', () => inner.readyForQuery || stream.destroy())
}

async function migrateAndSecure(directUrl: string, log: Logger): Promise<RoleMode> {
  const pool = new pg.Pool({ connectionString: directUrl, max: 2, application_name: 'handrail-migrate' })
  pool.on('error', (error) => log.warn({ err: error }, 'the migration connection broke'))
  const db = kyselyOn(pool)
  try {
    await requireReachable(pool)
    return await migrate(db, log, secureRows)
  } finally {
    await db.destroy()
  }
}

async function requireReachable(pool: pg.Pool): Promise<void> {
  try {
    ;(await pool.connect()).release()
  } catch (error) {
    // Node says nothing but the code where it tried several addresses.
    const { message, code } = error as { message: string; code?: string }
    throw new StartError(
      `The database cannot be reached: ${message || code}. Check DATABASE_URL, and that PostgreSQL runs there.`,
    )
  }
}

export function kyselyOn(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

type Context = { pool: pg.Pool; wakeUps: WakeUps; mode: RoleMode; keepPlans: boolean }

function inWorkspace<T>(
  { pool, wakeUps, mode, keepPlans }: Context,
  workspaceId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // The id goes into the text of the statement, because SET takes no parameters.
  requireWorkspaceId(workspaceId)
  const asked: (string | undefined)[] = []
  const begin = `BEGIN; ${asApp(mode)}; SET LOCAL handrail.workspace = '${workspaceId}'`
  return inTransaction(
    pool,
    begin,
    (db, client) =>
      work({
        db,
        workspaceId,
        wakeUp: (taskId) => asked.push(taskId),
        async prepared(name, text, values) {
          const { rows } = await client.query({ ...(keepPlans && { name }), text, values })
          return rows
        },
      }),
    () => {
      for (const taskId of asked) wakeUps.announce(workspaceId, taskId)
    },
  )
}

function statementRunnerIn(context: Context, workspaceId: string): Writer {
  requireWorkspaceId(workspaceId)
  const settings = [settingOf(asApp(context.mode)), "set_config('handrail.workspace', $1, true)"]
  return {
    workspaceId,
    wakeUp: (taskId) => context.wakeUps.announce(workspaceId, taskId),
    ...createStatementRunner(context, 'single-workspace', settings, [workspaceId]),
  }
}

// Statements that are prepared once. Left to itself PostgreSQL plans one with a list of ids anew each time, which takes longer than
// to run it.
const keptPlan = "set_config('plan_cache_mode', 'force_generic_plan', true)"

function createStatementRunner(
  { pool, keepPlans }: Context,
  name: string,
  settings: string[],
  values: unknown[] = [],
): Pick<Writer, 'prepared'> {
  const first = { name, text: `SELECT ${[...settings, keptPlan].join(', ')}`, values }
  return {
    async prepared<Row>(name: string, text: string, values: unknown[]) {
      const statement = new PipelinedStatement<Row>(
        first,
        { name: `single-${name}`, text, values },
        keepPlans,
      )
      const client = await pool.connect()
      try {
        await new Promise<void>((resolve, reject) => {
          statement.callback = (error) => (error ? reject(error) : resolve())
          client.query(statement)
        })
      } finally {
        client.release()
      }
      return statement.rows
    },
  }
}

function requireWorkspaceId(workspaceId: string): void {
  if (!/^wsp_[0-9a-z]{26}$/.test(workspaceId)) throw new Error('Not a workspace id.')
}

/** `SET LOCAL ROLE x` or `SET LOCAL name = value` as a call that may stand in any statement. */
function settingOf(set: string): string {
  const [, name, value] = /^SET LOCAL (\S+)(?: =)? (\S+)$/.exec(set)!
  return `set_config('${name!.toLowerCase()}', '${value}', true)`
}

function asApp(mode: RoleMode): string {
  return mode.kind === 'app-role' ? `SET LOCAL ROLE ${appRole}` : 'SET LOCAL handrail.crossing = off'
}

/** The app role crosses by the named functions alone; a forced owner is under policies inside them, too. */
function crossingAsApp(mode: RoleMode): string {
  return mode.kind === 'app-role' ? asApp(mode) : cross
}

const cross = 'SET LOCAL handrail.crossing = on'

/** Like Kysely's own, but role and workspace travel in one message with BEGIN. */
async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (db: Kysely<Schema>, client: pg.PoolClient) => Promise<T>,
  committed?: () => void,
): Promise<T> {
  const client = await pool.connect()
  try {
    let result: T
    try {
      await client.query(begin)
      result = await work(kyselyOf(client), client)
    } catch (error) {
      // A broken connection cannot roll back, and need not: the server does it.
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
    await client.query('COMMIT')
    committed?.()
    return result
  } finally {
    client.release()
  }
}

const kyselies = new WeakMap<pg.ClientBase, Kysely<Schema>>()

/** A Kysely on one connection, made once for it. */
export function kyselyOf(client: pg.ClientBase): Kysely<Schema> {
  const known = kyselies.get(client)
  if (known) return known
  const borrowed = { query: client.query.bind(client), release: () => undefined }
  const db = kyselyOn({ connect: async () => borrowed as never, end: async () => undefined })
  kyselies.set(client, db)
  return db
}
