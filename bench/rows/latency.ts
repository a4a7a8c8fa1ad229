import pg from 'pg'
import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import { canReadProcesses, cpuMillisecondsOf } from '../frame/processes.ts'
import { type Beside, beside, type Context, quantile, type Result, type Row } from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { startTaskBaseline } from '../frame/task-baseline.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'

const operations = ['create', 'get', 'inbox page', 'answer'] as const
type Operation = (typeof operations)[number]

/**
 * The requests of one client to the product or to the baseline, and the names under which their CPU
 * time is found.
 */
type System = Record<Exclude<Operation, 'create'>, (taskId: string) => Promise<{ milliseconds: number }>> & {
  create(): Promise<{ milliseconds: number; text: string }>
  pid: number
  database: string
}

/** Milliseconds of each request in ascending order, and mean CPU milliseconds per request. */
type Measured = { sorted: number[]; process: number; postgres: number }
type Round = Record<Operation, Measured>

export const latency: Row = {
  name: 'latency',
  about:
    'create, get and answer a task and read a page of the inbox, one request at a time, beside bare node:http and pg',
  run: (context) =>
    withService((service) =>
      withDatabase(service, async (databaseUrl) => {
        const baseline = await startTaskBaseline(databaseUrl)
        const clients = [createHttpClient(service.url), createHttpClient(baseline.url)] as const
        const database = new pg.Client({ connectionString: databaseUrl })
        try {
          await database.connect()
          const product = productSystem(clients[0], await setUpWorkspace(service), service.pid)
          return await compare(context, database, product, baselineSystem(clients[1], baseline.pid))
        } finally {
          for (const client of clients) client.close()
          await database.end()
          await baseline.stop()
        }
      }),
    ),
}

function productSystem(client: HttpClient, { agent, owner }: BenchWorkspace, pid: number): System {
  const answer = { actionId: 'approve', data: {} }
  return {
    create: () => client.send('POST', '/api/v1/tasks', agent, task),
    get: (taskId) => client.send('GET', `/api/v1/tasks/${taskId}`, agent),
    'inbox page': () => client.send('GET', '/api/v1/inbox?limit=50', owner),
    answer: (taskId) => client.send('POST', `/api/v1/tasks/${taskId}/handle`, owner, answer),
    pid,
    database: 'handrail',
  }
}

function baselineSystem(client: HttpClient, pid: number): System {
  return {
    create: () => client.send('POST', '/', {}, task),
    get: (taskId) => client.send('GET', `/${taskId}`, {}),
    'inbox page': () => client.send('GET', '/inbox', {}),
    answer: (taskId) => client.send('POST', `/${taskId}/answer`, {}, { actionId: 'approve', data: {} }),
    pid,
    database: 'baseline',
  }
}

async function compare(
  context: Context,
  database: pg.Client,
  product: System,
  baseline: System,
): Promise<Result[]> {
  const times = context.quick ? 100 : 300
  const round = inTurns(
    () => measureRound(database, product, times),
    () => measureRound(database, baseline, times),
  )
  context.showProgress('warming up')
  // V8 keeps optimizing the larger program for thousands of requests. A quick round has a third of
  // them.
  for (let warm = 0; warm < (context.quick ? 10 : 5); warm++) await round()
  const bounds = context.quick ? { min: 5, max: 10 } : { min: 10, max: 20 }
  return await runUntilConclusive(context, bounds, round, (rounds) =>
    operations.flatMap((operation) => resultsOf(operation, rounds)),
  )
}

function resultsOf(operation: Operation, rounds: Beside<Round>[]): Result[] {
  const line = (what: string, of: (measured: Measured) => number, atMost?: number): Result => ({
    what: `${operation}, ${what}`,
    unit: 'ms',
    baselineIs: 'node:http + pg',
    ...beside(rounds, (round) => of(round[operation])),
    ...(atMost !== undefined && { targets: [{ of: 'ratio', is: 'at most', value: atMost }] }),
  })
  return [
    // The inbox page has no target: three columns of one table, as the baseline reads them, are not
    // enough for an inbox.
    line('p50', ({ sorted }) => quantile(sorted, 0.5), operation === 'inbox page' ? undefined : 1.5),
    line('p99', ({ sorted }) => quantile(sorted, 0.99)),
    ...(canReadProcesses
      ? [
          line('CPU of the process', ({ process }) => process),
          line('CPU of PostgreSQL', ({ postgres }) => postgres, operation === 'create' ? 1.6 : undefined),
        ]
      : []),
  ]
}

async function measureRound(database: pg.Client, system: System, times: number): Promise<Round> {
  const ids: string[] = []
  const measure = async (once: (taskId: string) => Promise<number>): Promise<Measured> => {
    const before = await readCpu(database, system)
    const sorted: number[] = []
    for (let n = 0; n < times; n++) sorted.push(await once(ids[n]!))
    const after = await readCpu(database, system)
    return {
      sorted: sorted.sort((a, b) => a - b),
      process: (after.process - before.process) / times,
      postgres: (after.postgres - before.postgres) / times,
    }
  }
  const create = await measure(async () => {
    const { text, milliseconds } = await system.create()
    ids.push(JSON.parse(text).taskId)
    return milliseconds
  })
  const repeat = (operation: Exclude<Operation, 'create'>) =>
    measure(async (taskId) => (await system[operation](taskId)).milliseconds)
  return {
    create,
    get: await repeat('get'),
    'inbox page': await repeat('inbox page'),
    answer: await repeat('answer'),
  }
}

async function readCpu(database: pg.Client, system: System): Promise<{ process: number; postgres: number }> {
  if (!canReadProcesses) return { process: 0, postgres: 0 }
  const { rows } = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
    [system.database],
  )
  return {
    process: cpuMillisecondsOf(system.pid),
    postgres: rows.reduce((sum, { pid }) => sum + cpuMillisecondsOf(pid), 0),
  }
}
