import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseSessions } from '../support/database-sessions.ts'
import { databaseAddress, startFaultyProxy } from '../support/faulty-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { startNode } from '../support/node.ts'
import type { Node } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { createDatabase, taskPayload, testSecrets } from '../support/service.ts'
import { createAcknowledged } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { followInbox } from './follower.ts'
import { setUp } from './set-up.ts'
import { checkDeliveries, checkPromises, readAllTasks } from './verdict.ts'

const faultSeconds = { min: 20, max: 120 }
const seed = 20_261_115
const pool = 10

type Proxy = Awaited<ReturnType<typeof startFaultyProxy>>
type Receiver = Awaited<ReturnType<typeof startReceiver>>

describe('connections that are delayed, stalled and reset lose nothing acknowledged and leave nothing hanging', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let receiver: Receiver
  let proxy: Proxy
  let node: Node
  beforeEach(async () => {
    database = await createDatabase()
    receiver = await startReceiver()
  }, 60_000)
  afterEach(async () => {
    await node?.stop()
    await proxy?.stop()
    await receiver.stop()
    await database.drop()
  }, 60_000)

  const start = (environment: Record<string, string> = {}, port = 0) =>
    startNode(
      {
        DATABASE_URL: database.url,
        DATABASE_POOL: String(pool),
        CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
        ...testSecrets,
        ...environment,
      },
      port,
    )

  test('to PostgreSQL', async () => {
    const { target, urlAtPort } = databaseAddress(database.url)
    proxy = await startFaultyProxy(target, seededRandom(seed), { delay: 20, stall: 300, reset: 200 })
    node = await start({ DATABASE_URL: urlAtPort(proxy.port) })
    await workThroughFaults(receiver.url)
  })

  test('from agents and people', async () => {
    const port = await freePort()
    proxy = await startFaultyProxy({ host: '127.0.0.1', port }, seededRandom(seed), {
      delay: 8,
      stall: 60,
      reset: 40,
    })
    // So that every URL the service returns leads through the proxy.
    node = await start({ PUBLIC_URL: proxy.url }, port)
    await workThroughFaults(receiver.url)
  })

  test('to a receiver of callbacks', async () => {
    const target = { host: '127.0.0.1', port: Number(new URL(receiver.url).port) }
    proxy = await startFaultyProxy(target, seededRandom(seed), { delay: 4, stall: 20, reset: 12 })
    node = await start()
    await workThroughFaults(proxy.url)
  })

  async function workThroughFaults(receiverUrl: string): Promise<void> {
    const { agent, people } = await setUp({ url: () => node.url, output: () => node.output() })
    const clients: Clients = {
      acknowledged: createAcknowledged(),
      openTasks: [],
      isRunning: true,
      callbackUrl: `${receiverUrl}/hook`,
    }
    const follower = followInbox(() => node.url, people[0], '0.0.0')
    proxy.startFaults()
    const workers = Promise.all([
      ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
      ...people.map(({ name, caller }) => workAsPerson(clients, name, caller)),
    ])
    const startedAt = Date.now()
    const isEnough = () =>
      Date.now() > startedAt + faultSeconds.min * 1_000 &&
      Math.min(...Object.values(proxy.faults)) >= 3 &&
      clients.acknowledged.handled.length >= 20
    while (!isEnough() && Date.now() < startedAt + faultSeconds.max * 1_000) await sleep(100)
    proxy.stopFaults()
    clients.isRunning = false
    await within(60_000, workers, 'a call did not end')

    const last = await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))
    await follower.endAfter(last.body.taskId)
    const { acknowledged } = clients
    const lastTaskId = last.body.taskId
    const { broken, counts } = await checkPromises({
      acknowledged,
      followers: [follower],
      agent: agent(),
      lastTaskId,
    })
    broken.push(...(await checkDeliveries(await readAllTasks(agent()), receiver.received, database.url)))
    console.log(`seed ${seed}:`, proxy.faults, counts)
    expect(broken).toEqual([])
    expect(Math.min(...Object.values(proxy.faults))).toBeGreaterThanOrEqual(3)
    expect(counts.handled).toBeGreaterThanOrEqual(20)
    await expectIdle()
  }

  /**
   * Expects no connection to be busy or inside a transaction, and no more connections than the pool
   * and its listeners.
   */
  async function expectIdle(): Promise<void> {
    expect(await (await fetch(`${node.url}/health`)).json()).toMatchObject({ status: 'ok' })
    await vi.waitFor(
      async () => {
        const { idle = 0, ...others } = await databaseSessions(database.url)
        expect(others).toEqual({})
        expect(idle).toBeLessThanOrEqual(pool + 3)
      },
      { timeout: 30_000, interval: 100 },
    )
  }
})

async function within(milliseconds: number, work: Promise<unknown>, message: string): Promise<void> {
  const timer = new AbortController()
  const timeout = sleep(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${message} within ${milliseconds} ms`)
  })
  timeout.catch(() => undefined)
  await Promise.race([work, timeout])
  timer.abort()
}
