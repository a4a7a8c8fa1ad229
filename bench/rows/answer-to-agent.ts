import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openStream } from '../frame/event-stream.ts'
import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import { openSession, toolCall } from '../frame/mcp.ts'
import { type Receiver, startReceiver } from '../frame/receiver.ts'
import { beside, type Context, quantile, type Result, type Row } from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'

const waiterCount = 1_000
// Time for the wait of the measured task to reach the service before the task is answered.
const settleMilliseconds = 15

export const answerToAgent: Row = {
  name: 'answer-to-agent',
  about: `from the answer to a task until the agent has it: by wait, by stream, by callback, while ${waiterCount} others wait and ${waiterCount} streams are open; beside a NOTIFY`,
  run: (context) =>
    withService((service) =>
      withDatabase(service, async (databaseUrl) => {
        const workspace = await setUpWorkspace(service)
        const client = createHttpClient(service.url, 3)
        const waits = createWaits(createHttpClient(service.url, waiterCount), workspace)
        const streams = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
        const receiver = await startReceiver()
        try {
          context.showProgress('starting the waits')
          await waits.start()
          context.showProgress('opening streams')
          for (let opened = 0; opened < waiterCount; opened++)
            await openAgentStream(service.url, client, workspace, streams)
          const methods = {
            wait: byWait(client, workspace),
            stream: await byStream(service.url, client, workspace, streams),
            callback: byCallback(client, workspace, receiver),
          }
          const results: Result[] = []
          for (const [method, once] of Object.entries(methods))
            results.push(...(await compare(context, method, once, databaseUrl)))
          return results
        } finally {
          waits.end()
          client.close()
          streams.destroy()
          receiver.close()
        }
      }),
    ),
}

async function compare(
  context: Context,
  method: string,
  once: () => Promise<number>,
  databaseUrl: string,
): Promise<Result[]> {
  const times = context.quick ? 100 : 300
  const notify = await openNotify(databaseUrl)
  const showProgress = (text: string) => context.showProgress(`by ${method}: ${text}`)
  showProgress('warming up')
  await repeat(times, once)
  const round = inTurns(
    () => repeat(times, once),
    () => repeat(times, notify.once),
  )
  const bounds = context.quick ? { min: 3, max: 5 } : { min: 5, max: 15 }
  const results = await runUntilConclusive({ ...context, showProgress }, bounds, round, (rounds) => {
    const line = (name: string, share: number, atMost: number): Result => ({
      what: `by ${method}, ${name}`,
      unit: 'ms',
      baselineIs: 'NOTIFY until another connection receives it',
      ...beside(rounds, (sorted) => quantile(sorted, share)),
      targets: [{ of: 'product', is: 'at most', value: atMost }],
    })
    return [line('p50', 0.5, 10), line('p99', 0.99, 50)]
  })
  await notify.close()
  return results
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const measured: number[] = []
  for (let n = 0; n < times; n++) measured.push(await measure())
  return measured.sort((a, b) => a - b)
}

// Times are measured from the response to the person's answer; they are 0 if the agent received the
// answer before that.

function byWait(client: HttpClient, workspace: BenchWorkspace) {
  return async () => {
    const taskId = await create(client, workspace.agent)
    const receivedAt = client
      .send('GET', `/api/v1/tasks/${taskId}?waitSeconds=30`, workspace.agent)
      .then(() => performance.now())
    await sleep(settleMilliseconds)
    return await answerAndMeasure(client, workspace, taskId, receivedAt)
  }
}

async function byStream(url: string, client: HttpClient, workspace: BenchWorkspace, agent: Agent) {
  let onMessage = (_at: number) => {}
  const sessionId = await openAgentStream(url, client, workspace, agent, () => onMessage(performance.now()))
  const { headers, body } = toolCall('2025', 'send_to_human', { ...task, delivery: 'sse' })
  return async () => {
    const created = await client.send(
      'POST',
      '/mcp',
      { ...headers, ...workspace.agent, 'mcp-session-id': sessionId },
      JSON.parse(body),
    )
    const receivedAt = new Promise<number>((resolve) => {
      onMessage = resolve
    })
    return await answerAndMeasure(
      client,
      workspace,
      JSON.parse(created.text).result.structuredContent.taskId,
      receivedAt,
    )
  }
}

function byCallback(client: HttpClient, workspace: BenchWorkspace, receiver: Receiver) {
  return async () => {
    const taskId = await create(client, workspace.agent, { callbackUrl: receiver.url })
    return await answerAndMeasure(client, workspace, taskId, receiver.next())
  }
}

async function answerAndMeasure(
  client: HttpClient,
  { owner }: BenchWorkspace,
  taskId: string,
  receivedAt: Promise<number>,
): Promise<number> {
  await client.send('POST', `/api/v1/tasks/${taskId}/handle`, owner, { actionId: 'approve', data: {} })
  const at = performance.now()
  return Math.max((await receivedAt) - at, 0)
}

/** Opens an MCP session and its stream. Returns the session id. */
async function openAgentStream(
  url: string,
  client: HttpClient,
  { agent: identity }: BenchWorkspace,
  agent: Agent,
  onEvent: () => void = () => undefined,
): Promise<string> {
  const sessionId = await openSession(client, identity)
  await openStream(`${url}/mcp`, { ...identity, 'mcp-session-id': sessionId }, agent, onEvent)
  return sessionId
}

async function create(client: HttpClient, agent: Record<string, string>, more: object = {}): Promise<string> {
  const { text } = await client.send('POST', '/api/v1/tasks', agent, { ...task, ...more })
  return JSON.parse(text).taskId
}

/** Agents that each wait for a task that nobody answers, again after each timeout. */
function createWaits(client: HttpClient, { agent }: BenchWorkspace) {
  let ended = false
  async function wait(taskId: string): Promise<void> {
    while (!ended) await client.send('GET', `/api/v1/tasks/${taskId}?waitSeconds=50`, agent)
  }
  return {
    async start() {
      for (let n = 0; n < waiterCount; n++) {
        const taskId = await create(client, agent)
        // `end` aborts the request, which fails then.
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
  const sender = new pg.Client({ connectionString: databaseUrl })
  const listener = new pg.Client({ connectionString: databaseUrl })
  await Promise.all([sender.connect(), listener.connect()])
  await listener.query('LISTEN bench')
  return {
    async once(): Promise<number> {
      const receivedAt = new Promise<number>((resolve) =>
        listener.once('notification', () => resolve(performance.now())),
      )
      const startedAt = performance.now()
      await sender.query('NOTIFY bench')
      return (await receivedAt) - startedAt
    },
    async close() {
      await Promise.all([sender.end(), listener.end()])
    },
  }
}
