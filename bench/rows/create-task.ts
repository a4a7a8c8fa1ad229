import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { alternately } from '../frame/alternately.ts'
import { postsPerSecond } from '../frame/load.ts'
import { beside, type Context, type Result, type Row } from '../frame/row.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { setUpWorkspace } from '../frame/workspace.ts'

// DATABASE_POOL as the service has it when nobody sets it.
const poolSize = 10

const body = JSON.stringify({
  task: {
    type: 'refund-approval',
    name: 'Refund €40?',
    description: 'The parcel came back. The customer asks for the money and for the shipping cost.',
  },
  context: {
    data: { order: 4711, text: 'The parcel **came back**.' },
    ui: { text: { 'ui:widget': 'markdown' } },
  },
  actions: [
    { id: 'approve', title: 'Approve' },
    {
      id: 'decline',
      title: 'Decline',
      schema: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
    },
  ],
})

export const createTask: Row = {
  name: 'create-task',
  about: 'POST /api/v1/tasks beside bare node:http and pg, 20 clients, durable',
  run: (context) =>
    withService((service) =>
      withDatabase(service, async (databaseUrl) => {
        const { agent } = await setUpWorkspace(service)
        const floor = await startFloor(databaseUrl)
        try {
          return [await compare(context, { url: `${service.url}/api/v1/tasks`, headers: agent }, floor)]
        } finally {
          await floor.stop()
        }
      }),
    ),
}

type Address = { url: string; headers: Record<string, string> }

async function compare(context: Context, service: Address, floor: Address): Promise<Result> {
  const seconds = context.quick ? 3 : 10
  const product = () => postsPerSecond({ ...service, body, seconds })
  const bare = () => postsPerSecond({ ...floor, body, seconds })
  // V8 goes on making the larger program faster for thousands of requests.
  context.tell('warming up')
  for (const warm of [product, bare]) for (let round = 0; round < 3; round++) await warm()
  const rounds = await alternately(context, context.quick ? 3 : 7, product, bare)
  return {
    what: 'tasks a second',
    unit: '/s',
    ...beside(rounds.product, rounds.floor),
    floorIs: 'node:http + pg, a task and an outbox row in one transaction',
    targets: [{ of: 'ratio', is: 'at least', value: 0.5 }],
  }
}

/** In a process of its own, on another database of the same PostgreSQL. */
async function startFloor(serviceDatabase: string) {
  await query(serviceDatabase, 'CREATE DATABASE floor')
  const databaseUrl = serviceDatabase.replace(/\/[^/?]*\?/, '/floor?')
  await query(
    databaseUrl,
    `CREATE TABLE task (id uuid PRIMARY KEY, name text NOT NULL, body json NOT NULL, created_at timestamptz DEFAULT now());
     CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task_id uuid NOT NULL, body json NOT NULL)`,
  )
  const program = fileURLToPath(new URL('../floors/insert-server.js', import.meta.url))
  const child = spawn(process.execPath, [program, databaseUrl, String(poolSize)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${String(port).trim()}/`,
    headers: {},
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function query(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
