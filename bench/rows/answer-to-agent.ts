import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { alternately } from '../frame/alternately.ts'
import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import { beside, type Context, quantile, type Result, type Row } from '../frame/row.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'

const otherWaits = 1_000
const settleMilliseconds = 15

export const answerToAgent: Row = {
  name: 'answer-to-agent',
  about: `from the answer to a task until a waiting GET returns, while ${otherWaits} others wait; beside a NOTIFY`,
  run: (context) =>
    withService((service) =>
      withDatabase(service, async (databaseUrl) => {
        const workspace = await setUpWorkspace(service)
        const crowd = createHttpClient(service.url, otherWaits)
        const client = createHttpClient(service.url, 3)
        context.tell('others begin to wait')
        const waits = createWaits(crowd, workspace)
        try {
          await waits.begin()
          return await compare(context, client, workspace, databaseUrl)
        } finally {
          waits.end()
          client.close()
        }
      }),
    ),
}

async function compare(
  context: Context,
  client: HttpClient,
  workspace: BenchWorkspace,
  databaseUrl: string,
): Promise<Result[]> {
  const times = context.quick ? 100 : 400
  const notify = await openNotify(databaseUrl)
  const rounds = await alternately(
    context,
    context.quick ? 3 : 5,
    () => repeat(times, () => answerOne(client, workspace)),
    () => repeat(times, notify.once),
  )
  await notify.close()
  const of = (share: number) =>
    beside(
      rounds.product.map((sorted) => quantile(sorted, share)),
      rounds.floor.map((sorted) => quantile(sorted, share)),
    )
  const common = { unit: 'ms', floorIs: 'NOTIFY until another connection hears it' }
  return [
    { what: 'by wait, p50', ...common, ...of(0.5), targets: [{ of: 'product', is: 'at most', value: 10 }] },
    { what: 'by wait, p99', ...common, ...of(0.99), targets: [{ of: 'product', is: 'at most', value: 50 }] },
  ]
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const measured: number[] = []
  for (let n = 0; n < times; n++) measured.push(await measure())
  return measured.sort((a, b) => a - b)
}

/** From the moment the person's request is answered, by when the fact is certain; 0 if the agent knew before. */
async function answerOne(client: HttpClient, { agent, owner }: BenchWorkspace): Promise<number> {
  const taskId = await create(client, agent)
  const told = client
    .send('GET', `/api/v1/tasks/${taskId}?waitSeconds=30`, agent)
    .then(() => performance.now())
  await sleep(settleMilliseconds)
  await client.send('POST', `/api/v1/tasks/${taskId}/handle`, owner, { actionId: 'approve', data: {} })
  const answered = performance.now()
  return Math.max((await told) - answered, 0)
}

async function create(client: HttpClient, agent: Record<string, string>): Promise<string> {
  const payload = {
    task: { type: 'refund-approval', name: 'Refund €40?', description: 'The parcel came back.' },
    actions: [{ id: 'approve', title: 'Approve' }],
  }
  return JSON.parse((await client.send('POST', '/api/v1/tasks', agent, payload)).text).taskId
}

/** A thousand agents that wait for tasks nobody answers, each asking again when its time is up. */
function createWaits(client: HttpClient, { agent }: BenchWorkspace) {
  let ended = false
  async function wait(taskId: string): Promise<void> {
    while (!ended) await client.send('GET', `/api/v1/tasks/${taskId}?waitSeconds=50`, agent)
  }
  return {
    async begin() {
      for (let made = 0; made < otherWaits; made++) {
        const taskId = await create(client, agent)
        // Ends by being cut off.
        wait(taskId).catch((error) => {
          if (!ended) throw error
        })
      }
      await sleep(500)
    },
    end() {
      ended = true
      client.close()
    },
  }
}

async function openNotify(databaseUrl: string) {
  const speaker = new pg.Client({ connectionString: databaseUrl })
  const listener = new pg.Client({ connectionString: databaseUrl })
  await Promise.all([speaker.connect(), listener.connect()])
  await listener.query('LISTEN bench')
  return {
    async once(): Promise<number> {
      const heard = new Promise<number>((resolve) =>
        listener.once('notification', () => resolve(performance.now())),
      )
      const began = performance.now()
      await speaker.query('NOTIFY bench')
      return (await heard) - began
    },
    async close() {
      await Promise.all([speaker.end(), listener.end()])
    },
  }
}
