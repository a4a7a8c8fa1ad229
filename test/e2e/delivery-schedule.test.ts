import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import type { Delivery } from '../../src/contract/delivery.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClockTo, readClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const answer = { actionId: 'decline', data: { reason: 'Größe – 漢字 🙂 "quoted"' } }

async function answeredTask(workspace: TestWorkspace, more: Record<string, unknown>): Promise<string> {
  const created = await workspace.agent.post('/tasks', taskPayload(more))
  expect(created.status).toBe(201)
  expect((await workspace.owner.post(`/tasks/${created.body.taskId}/handle`, answer)).status).toBe(200)
  return created.body.taskId
}

async function deliveryOf(workspace: TestWorkspace, taskId: string): Promise<Delivery> {
  const { deliveries } = (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body
  expect(deliveries).toHaveLength(1)
  return deliveries[0]
}

/** The delivery once it has at least `count` attempts. */
function afterAttempts(workspace: TestWorkspace, taskId: string, count: number, interval = 100) {
  return vi.waitFor(
    async () => {
      const delivery = await deliveryOf(workspace, taskId)
      expect(delivery.attempts.length).toBeGreaterThanOrEqual(count)
      return delivery
    },
    { ...waitOptions, interval },
  )
}

// Seconds from a response until its attempt is recorded on a busy machine.
const maxRecordingSeconds = 20

/** Checks the planned time from the end of the last attempt to the next one. */
function expectWait({ attempts, nextAttemptAt }: Delivery, seconds: number, min = seconds): void {
  const { at, durationMilliseconds } = attempts.at(-1)!
  const wait = (Date.parse(nextAttemptAt!) - Date.parse(at) - durationMilliseconds) / 1000
  expect(wait).toBeGreaterThanOrEqual(min - 0.01)
  expect(wait).toBeLessThan(seconds + maxRecordingSeconds)
}

// Concurrent, because these tests mostly wait.

describe.concurrent('the receiver’s behaviour is logged and decides the next attempt', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Receiver
  const behaviours: Record<string, (response: ServerResponse, time: number) => void> = {
    '/works-later': (response, time) =>
      response.writeHead(time === 1 ? 500 : 204).end(time === 1 ? 'not yet' : ''),
    '/accepts': (response) => response.writeHead(202).end('{"queued":true}'),
    '/hangs': () => {},
    '/resets': (response) => response.socket!.resetAndDestroy(),
    '/endless': (response) => writeEndlessly(response.writeHead(200)),
    '/endless-refusal': (response) => writeEndlessly(response.writeHead(500)),
    '/moved': (response) => response.writeHead(302, { location: `${receiver.url}/moved-here` }).end(),
    '/gone': (response) => response.writeHead(410).end('never again'),
    '/not-found': (response) => response.writeHead(404).end(),
    '/busy': (response) => response.writeHead(429, { 'retry-after': '7200' }).end(),
    '/back-at': (response) => {
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end()
    },
    '/impatient': (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
    '/next-year': (response) => response.writeHead(429, { 'retry-after': '31536000' }).end(),
  }
  const times = new Map<string, number>()
  let tasks: Record<string, string>

  beforeAll(async () => {
    receiver = await startReceiver(({ path }, response) => {
      const time = (times.get(path) ?? 0) + 1
      times.set(path, time)
      behaviours[path]!(response, time)
    })
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
    tasks = Object.fromEntries(
      await Promise.all(
        Object.keys(behaviours).map(async (path) => [
          path,
          await answeredTask(acme, { callbackUrl: `${receiver.url}${path}` }),
        ]),
      ),
    )
  })
  afterAll(async () => {
    await receiver.stop()
    await service.stop()
  })
  // These tests wait for seconds at the same time: asking more often keeps the processor busy.
  const attempts = (path: string, count: number) => afterAttempts(acme, tasks[path]!, count, 500)
  const first = (path: string) => attempts(path, 1)

  test('the lease is renewed during an attempt', async () => {
    const ended = -1
    /** Whether the lease was renewed before the attempt ended. */
    async function isRenewed(): Promise<boolean> {
      // A new task, because the attempt of the other one may be almost over.
      const taskId = await answeredTask(acme, { callbackUrl: `${receiver.url}/hangs` })
      const leaseEnds = async () => {
        const [row] = await query<{ at: Date | null; attempts: number }>(
          service.databaseUrl,
          'SELECT leased_until AS at, attempt_count AS attempts FROM deliveries WHERE task_id = $1',
          [taskId],
        )
        return row?.attempts === 0 ? (row.at?.getTime() ?? 0) : ended
      }
      await vi.waitFor(async () => expect(await leaseEnds()).not.toBe(0), waitOptions)
      const first = await leaseEnds()
      const isOver = (at: number) => at === ended || at > first
      const options = { ...waitOptions, interval: 500 }
      await vi.waitFor(async () => expect(isOver(await leaseEnds())).toBe(true), options)
      return first !== ended && (await leaseEnds()) !== ended
    }
    // A pause of the machine may be longer than an attempt.
    expect((await isRenewed()) || (await isRenewed())).toBe(true)
  })

  test('a 500 is retried after about 5 s with the same id and bytes and a new signature', async () => {
    const delivery = await attempts('/works-later', 2)
    expect(delivery).toMatchObject({ state: 'delivered', attemptCount: 2, endedAt: expect.any(String) })
    expect(delivery).not.toHaveProperty('nextAttemptAt')
    expect(delivery.attempts).toMatchObject([
      { number: 1, status: 500, responseBody: 'not yet' },
      { number: 2, status: 204, responseBody: '' },
    ])
    const [one, two] = receiver.received.filter(({ path }) => path === '/works-later')
    expect(two!.at - one!.at).toBeGreaterThan(3_900)
    expect(two!.at - one!.at).toBeLessThan(60_000)
    expect(two!.body).toBe(one!.body)
    expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id'])
    expect(delivery.eventId).toBe(one!.headers['webhook-id'])
    const signedAt = [one, two].map((call) => Number(call!.headers['webhook-timestamp']))
    expect(signedAt[1]! - signedAt[0]!).toBeGreaterThanOrEqual(3)
    for (const call of [one, two]) {
      const event = await verifyWebhook(call!.headers, call!.body, acme.webhookSecret)
      expect(event).toMatchObject({ eventId: delivery.eventId, action: { data: answer.data } })
    }
  })

  test('any 2xx is a success, even if its body never ends', async () => {
    expect(await first('/accepts')).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 202, responseBody: '{"queued":true}' }],
    })
    expect(await first('/endless')).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 200, responseBody: 'x'.repeat(1024) }],
    })
  })

  test.each([
    ['/endless-refusal', { status: 500, responseBody: 'x'.repeat(1024) }],
    ['/not-found', { status: 404, responseBody: '' }],
    ['/resets', { error: expect.stringContaining('ECONNRESET') }],
    ['/impatient', { status: 503 }],
  ])('%s is retried after about 5 s', async (path, attempt) => {
    const { state, attempts: made } = await attempts(path, 2)
    expect(state).toBe('pending')
    const [one, two] = made
    expect([one, two]).toMatchObject([attempt, attempt])
    const waited = Date.parse(two!.at) - Date.parse(one!.at) - one!.durationMilliseconds
    expect(waited).toBeGreaterThan(3_900)
    expect(waited).toBeLessThan(60_000)
  })

  test('a redirect is a failure and is not followed', async () => {
    const { state, attempts: made } = await first('/moved')
    expect(state).toBe('pending')
    expect(made[0]).toMatchObject({ status: 302 })
    expect(receiver.received.map(({ path }) => path)).not.toContain('/moved-here')
  })

  test('410 stops further attempts', async () => {
    const delivery = await first('/gone')
    expect(delivery).toMatchObject({
      state: 'failed',
      attempts: [{ status: 410, responseBody: 'never again' }],
    })
    expect(delivery).not.toHaveProperty('nextAttemptAt')
  })

  test('Retry-After is honoured, in seconds or as a date, up to a day', async () => {
    expectWait(await first('/busy'), 7200)
    // A date has whole seconds, and the time until it gets shorter.
    expectWait(await first('/back-at'), 3600, 3599 - maxRecordingSeconds)
    expectWait(await first('/next-year'), 24 * 3600)
  })

  test('a hanging receiver times out after 15 s and delays no other', async () => {
    const delivery = await first('/hangs')
    expect(delivery.state).toBe('pending')
    const [attempt] = delivery.attempts
    expect(attempt).toMatchObject({ error: 'No response within 15 s.' })
    expect(attempt).not.toHaveProperty('status')
    expect(attempt!.durationMilliseconds).toBeGreaterThan(14_000)
    expect(attempt!.durationMilliseconds).toBeLessThan(60_000)
  })
})

describe.concurrent('a callback is retried for a day, then it has failed', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver((_, response) => response.writeHead(500).end('broken'))
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  test('8 attempts on schedule, each ± 20 %; redelivering what failed within a day restarts the schedule', async () => {
    const taskId = await answeredTask(acme, { callbackUrl: `${receiver.url}/hook` })
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
    for (const [i, wait] of waits.entries()) {
      const delivery = await afterAttempts(acme, taskId, i + 1)
      expect(delivery).toMatchObject({ state: 'pending', attemptCount: i + 1 })
      expectWait(delivery, wait * 1.2, wait * 0.8)
      if (wait === 300) {
        await moveClockTo(service.databaseUrl, delivery.nextAttemptAt!, '-20 s')
        await sleep(1_500)
        expect(receiver.received).toHaveLength(i + 1)
      }
      await moveClockTo(service.databaseUrl, delivery.nextAttemptAt!)
      await receiver.calls(i + 2)
    }
    const failed = await afterAttempts(acme, taskId, 8)
    expect(failed).toMatchObject({ state: 'failed', attemptCount: 8, endedAt: expect.any(String) })
    expect(failed.attempts.map(({ number, status }) => [number, status])).toEqual(
      Array.from({ length: 8 }, (_, i) => [i + 1, 500]),
    )
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

    await moveClockTo(service.databaseUrl, (await readClock(service.databaseUrl)).toISOString(), '3 days')
    await sleep(1_500)
    expect(receiver.received).toHaveLength(8)

    // Created more than a day before it failed.
    const since = new Date(Date.parse(failed.endedAt!) - 24 * 3_600_000).toISOString()
    expect(Date.parse(failed.createdAt)).toBeLessThan(Date.parse(since))
    expect((await acme.owner.post('/deliveries/redeliver', { since })).body).toEqual({ count: 1 })
    const again = await afterAttempts(acme, taskId, 9)
    expect(again).toMatchObject({ state: 'pending', attemptCount: 9 })
    expectWait(again, 6, 4)
  })
})

describe.concurrent('a push to an MCP server that fails', () => {
  let backend: TestService
  let jobs: TestService
  let acme: TestWorkspace
  let receiver: Receiver
  beforeAll(async () => {
    // 410 has no special meaning here, because the receiver is our own server.
    receiver = await startReceiver((_, response) => response.writeHead(410).end('broken'))
    backend = await startService({ SERVICE_MCP_PUBLIC_URL: receiver.url }, ['--only', 'backend'])
    const shared = { DATABASE_URL: backend.databaseUrl, SERVICE_MCP_PUBLIC_URL: receiver.url }
    jobs = await startService(shared, ['--only', 'jobs'])
    acme = await backend.workspace()
  })
  afterAll(async () => {
    await jobs.stop()
    await backend.stop()
    await receiver.stop()
  })

  test('retries after 1, 2 and 5 s, every 10 s for ten minutes, every minute for 24 h; a redelivery restarts the schedule', async () => {
    const taskId = await answeredTask(acme, { delivery: 'sse' })
    // The first waits are so short that a slow machine may see another attempt before it has
    // checked the last one.
    const atLeast = async (count: number) => {
      const delivery = await afterAttempts(acme, taskId, count)
      expect(delivery.kind).toBe('sse')
      expect(new Set(delivery.attempts.map(({ status }) => status))).toEqual(new Set([410]))
      return delivery
    }
    /** Moves the clock to the next attempt, or beyond it, and waits for that attempt. */
    const next = async ({ attempts, nextAttemptAt }: Delivery, offset?: string) => {
      await moveClockTo(backend.databaseUrl, nextAttemptAt!, offset)
      return await atLeast(attempts.length + 1)
    }
    /** Checks the waits of the schedule, from the first attempt of this round to the last one in the list. */
    const followSchedule = async (earlierAttempts: number) => {
      const schedule = [1, 2, 5, 10, 10]
      let delivery = await atLeast(earlierAttempts + 1)
      for (;;) {
        const wait = schedule[delivery.attempts.length - earlierAttempts - 1]
        if (wait === undefined) return delivery
        expect(delivery.state).toBe('pending')
        expectWait(delivery, wait)
        delivery = await next(delivery)
      }
    }

    // The first two in real time.
    const [one, two] = await receiver.calls(2)
    expect(two!.at - one!.at).toBeGreaterThan(900)
    expect(one!.path).toBe('/webhooks/service')
    expect(two!.body).toBe(one!.body)
    expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id'])

    const everyTenSeconds = await followSchedule(0)
    const everyMinute = await next(everyTenSeconds, '10 minutes')
    expectWait(everyMinute, 60)
    const failed = await next(everyMinute, '24 hours')
    expect(failed.state).toBe('failed')

    await acme.owner.post(`/deliveries/${failed.deliveryId}/redeliver`)
    expect(await followSchedule(failed.attempts.length)).toMatchObject({ state: 'pending' })
  })
})

describe('an email that no process can send, because no mail server is configured', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('is left for a day to one that can, then fails, so that no retention period waits for it', async () => {
    const acme = await service.workspace()
    const taskId = await answeredTask(acme, {})
    const queueMail = (id: string, age: string) =>
      query(
        service.databaseUrl,
        `INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body, recipient, round_at)
         VALUES ($1, $2, $1, 'service/task_created', $3, 'mail', '{"about":"test"}',
           (SELECT user_id FROM members WHERE workspace_id = $2), app_now() - $4::interval)`,
        [id, acme.workspaceId, taskId, age],
      )
    await queueMail('dlv_new', '23 hours')
    await queueMail('dlv_old', '24 hours')
    const states = async () => {
      const { deliveries } = (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body
      return Object.fromEntries(deliveries.map((one: Delivery) => [one.deliveryId, one]))
    }
    await vi.waitFor(async () => expect((await states()).dlv_old.state).toBe('failed'), waitOptions)
    expect(await states()).toMatchObject({
      dlv_old: { attempts: [{ error: 'No mail server is configured.' }] },
      dlv_new: { state: 'pending', attemptCount: 0 },
    })
  })
})

/** Writes until the other side closes the connection. */
function writeEndlessly(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  }
  response.on('drain', more)
  more()
}
