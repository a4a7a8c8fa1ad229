import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Delivery } from '../../src/contract/delivery.ts'
import { claimDeliveries } from '../../src/server/storage/delivery/deliveries.ts'
import { lockWaits } from '../support/database-sessions.ts'
import { startNode } from '../support/node.ts'
import { agentAt, type Node, personAt } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const allowed = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }

describe('an answer is delivered although a process is killed', () => {
  /** Runs no jobs, so that reading through it changes nothing. */
  let backend: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let hold = false
  const held: ServerResponse[] = []
  const nodes: Node[] = []
  beforeAll(async () => {
    receiver = await startReceiver((_, response) => {
      if (hold) held.push(response)
      else response.writeHead(204).end()
    })
    backend = await startService(allowed, ['--only', 'backend'])
    acme = await backend.workspace()
  })
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.kill()))
    receiver.received.length = 0
  })
  afterAll(async () => {
    await receiver.stop()
    await backend.stop()
  })

  async function start(...args: string[]): Promise<Node> {
    const node = await startNode({ DATABASE_URL: backend.databaseUrl, ...testSecrets, ...allowed }, 0, args)
    nodes.push(node)
    return node
  }
  async function answerTask(url: string): Promise<string> {
    const payload = taskPayload({ callbackUrl: `${receiver.url}/hook` })
    const { taskId } = (await agentAt(url, acme).post('/tasks', payload)).body
    expect((await personAt(url, acme, acme.owner).post(`/tasks/${taskId}/mark-done`)).status).toBe(200)
    return taskId
  }
  /** Another process on the same database, in this one: it is not killed. */
  const startHere = (...args: string[]) =>
    startService({ DATABASE_URL: backend.databaseUrl, ...allowed }, args)
  const deliveryOf = async (taskId: string): Promise<Delivery> =>
    (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries[0]
  /** Waits longer than the lease of a killed process. */
  const waitUntilDelivered = (taskId: string) =>
    vi.waitFor(
      async () => {
        const delivery = await deliveryOf(taskId)
        expect(delivery.state).toBe('delivered')
        return delivery
      },
      { timeout: 80_000, interval: 100 },
    )
  const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])

  test('before its delivery the next process delivers it; during it, another repeats it with the same id and bytes within a minute', async () => {
    hold = true
    const first = await start()
    const during = await answerTask(first.url)
    await receiver.calls(1)
    hold = false
    const before = await whileClaimsAreBlocked(backend.databaseUrl, async () => {
      const id = await answerTask(first.url)
      await sleep(300)
      await first.kill()
      return id
    })
    expect(await deliveryOf(before)).toMatchObject({ state: 'pending', attempts: [] })
    const [lease] = await query<{ left: number }>(
      backend.databaseUrl,
      'SELECT extract(epoch FROM leased_until - app_now())::float AS left FROM deliveries WHERE task_id = $1',
      [during],
    )
    expect(lease!.left).toBeGreaterThan(0)
    expect(lease!.left).toBeLessThanOrEqual(30)
    expect(receiver.received).toHaveLength(1)

    const next = await startHere('--only', 'jobs')
    const delivered = await waitUntilDelivered(before)
    expect(delivered.attempts).toHaveLength(1)
    // The second process cannot know that the first is dead until its lease has expired.
    await sleep(1_500)
    expect(receiver.received).toHaveLength(2)

    await moveClock(backend.databaseUrl, '30 s')
    const { eventId, attempts } = await waitUntilDelivered(during)
    await next.stop()
    expect(attempts).toMatchObject([{ number: 1, status: 204 }])
    expect(idsReceived()).toEqual([eventId, delivered.eventId, eventId])
    expect(receiver.received[2]!.body).toBe(receiver.received[0]!.body)
  })

  test('a process that stops finishes its current attempt', async () => {
    hold = true
    const here = await startHere()
    const taskId = await answerTask(here.url)
    await receiver.calls(1)
    hold = false
    const stopped = here.stop()
    await sleep(500)
    held.pop()!.writeHead(204).end()
    await stopped
    expect(await deliveryOf(taskId)).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] })
  })

  test('a retry that another process has planned meanwhile is not claimed before it is due', async () => {
    const claim = () =>
      claimDeliveries(backend.app.service.database, {
        worker: 'late',
        limit: 10,
        maxPerWorkspace: 10,
        leaseSeconds: 30,
        kinds: ['callback'],
        unsendableSeconds: 86_400,
      })
    // Planned before on each connection, because planning reads the clock too.
    await Promise.all(Array.from({ length: 20 }, claim))
    const taskId = await answerTask(backend.url)
    let claiming: ReturnType<typeof claim> | undefined
    await asOwner(backend.databaseUrl, async (client) => {
      // Stops the claim where it compares the due time, after it has begun to read.
      await client.query('BEGIN; LOCK TABLE clock_offset IN ACCESS EXCLUSIVE MODE')
      claiming = claim()
      await vi.waitFor(async () => expect(await lockWaits(backend.databaseUrl)).toBe(1), waitOptions)
      const retryLater = `UPDATE deliveries SET due_at = due_at + interval '1 hour' WHERE task_id = $1`
      await client.query(retryLater, [taskId])
      await client.query('COMMIT')
    })
    expect(await claiming).toEqual([])
    await query(backend.databaseUrl, `UPDATE deliveries SET state = 'failed' WHERE task_id = $1`, [taskId])
  })

  test('without a failure, two processes deliver each of 30 answers once', async () => {
    const jobs = await Promise.all([startHere('--only', 'jobs'), startHere('--only', 'jobs')])
    const taskIds = await Promise.all(Array.from({ length: 30 }, () => answerTask(backend.url)))
    await receiver.calls(30)
    const listed = async (): Promise<Delivery[]> =>
      (await acme.owner.get('/deliveries?limit=30')).body.deliveries
    await vi.waitFor(
      async () => {
        expect(new Set((await listed()).map(({ state }) => state))).toEqual(new Set(['delivered']))
      },
      { ...waitOptions, interval: 250 },
    )
    await sleep(1_500)
    await Promise.all(jobs.map((one) => one.stop()))
    const calledBack = receiver.received.map(({ body }) => JSON.parse(body).taskId)
    expect(calledBack.toSorted()).toEqual(taskIds.toSorted())
    expect(new Set(idsReceived()).size).toBe(30)
    const deliveries = await listed()
    expect(deliveries.map(({ taskId }) => taskId).toSorted()).toEqual(taskIds.toSorted())
    expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual(Array(30).fill(1))
  })
})

/** Deliveries can be added and committed, but claims wait until the work is done. */
async function whileClaimsAreBlocked<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const key = 4_711
  return await asOwner(databaseUrl, async (client: pg.Client) => {
    await client.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${key}); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION wait_for_test();
      SELECT pg_advisory_lock(${key});`)
    try {
      return await work()
    } finally {
      // PostgreSQL does not notice that a waiting client is dead and would still complete its
      // claim.
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${key} AND NOT granted`,
      )
      await client.query(`SELECT pg_advisory_unlock(${key})`)
      await client.query('DROP TRIGGER wait_for_test ON deliveries; DROP FUNCTION wait_for_test()')
    }
  })
}
