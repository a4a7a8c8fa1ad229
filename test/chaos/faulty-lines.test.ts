import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseSessions } from '../support/database-sessions.ts'
import { addressOfDatabase, startFaultyLine } from '../support/faulty-line.ts'
import { freePort } from '../support/free-port.ts'
import { startNode } from '../support/node.ts'
import type { Node } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { seeded } from '../support/seeded.ts'
import { createDatabase, taskPayload, testSecrets } from '../support/service.ts'
import { nothingToldYet } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { followInbox } from './follower.ts'
import { setUp } from './set-up.ts'
import { judge, judgeDeliveries, readAll } from './verdict.ts'

const troubledSeconds = { least: 20, most: 120 }
const seed = 20_261_115
const pool = 10

type Line = Awaited<ReturnType<typeof startFaultyLine>>
type Receiver = Awaited<ReturnType<typeof startReceiver>>

describe('a line that delays, stalls and resets breaks no promise, and leaves nothing hanging', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let receiver: Receiver
  let line: Line
  let node: Node
  beforeEach(async () => {
    database = await createDatabase()
    receiver = await startReceiver()
  }, 60_000)
  afterEach(async () => {
    await node?.stop()
    await line?.stop()
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
    const { target, urlBy } = addressOfDatabase(database.url)
    line = await startFaultyLine(target, seeded(seed), { delay: 20, stall: 300, reset: 200 })
    node = await start({ DATABASE_URL: urlBy(line.port) })
    await workThroughTrouble(receiver.url)
  })

  test('from agents and people', async () => {
    const port = await freePort()
    line = await startFaultyLine({ host: '127.0.0.1', port }, seeded(seed), {
      delay: 8,
      stall: 60,
      reset: 40,
    })
    // So every address the service tells leads over the line.
    node = await start({ PUBLIC_URL: line.url }, port)
    await workThroughTrouble(receiver.url)
  })

  test('to a receiver of callbacks', async () => {
    const target = { host: '127.0.0.1', port: Number(new URL(receiver.url).port) }
    line = await startFaultyLine(target, seeded(seed), { delay: 4, stall: 20, reset: 12 })
    node = await start()
    await workThroughTrouble(line.url)
  })

  async function workThroughTrouble(receiverUrl: string): Promise<void> {
    const { agent, people } = await setUp({ url: () => node.url, output: () => node.output() })
    const clients: Clients = {
      told: nothingToldYet(),
      openTasks: [],
      going: true,
      callbackUrl: `${receiverUrl}/hook`,
    }
    const follower = followInbox(() => node.url, people[0], '0.0.0')
    line.trouble()
    const workers = Promise.all([
      ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
      ...people.map(({ name, caller }) => workAsPerson(clients, name, caller)),
    ])
    const began = Date.now()
    const enough = () =>
      Date.now() > began + troubledSeconds.least * 1_000 &&
      Math.min(...Object.values(line.faults)) >= 3 &&
      clients.told.handled.length >= 20
    while (!enough() && Date.now() < began + troubledSeconds.most * 1_000) await sleep(100)
    line.calm()
    clients.going = false
    await within(60_000, workers, 'a call that never ends')

    const last = await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))
    await follower.endAfter(last.body.taskId)
    const { told } = clients
    const lastTaskId = last.body.taskId
    const { broken, counts } = await judge({ told, followers: [follower], agent: agent(), lastTaskId })
    broken.push(...(await judgeDeliveries(await readAll(agent()), receiver.received, database.url)))
    console.log(`seed ${seed}:`, line.faults, counts)
    expect(broken).toEqual([])
    expect(Math.min(...Object.values(line.faults))).toBeGreaterThanOrEqual(3)
    expect(counts.handled).toBeGreaterThanOrEqual(20)
    await expectRest()
  }

  /** The pool's connections and those that listen, none of them busy or inside a transaction. */
  async function expectRest(): Promise<void> {
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

async function within(milliseconds: number, work: Promise<unknown>, otherwise: string): Promise<void> {
  const patience = new AbortController()
  const tooLong = sleep(milliseconds, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`${otherwise}, after ${milliseconds} ms`)
  })
  tooLong.catch(() => undefined)
  await Promise.race([work, tooLong])
  patience.abort()
}
