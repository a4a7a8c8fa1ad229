import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyWebhook, WebhookNotVerified } from '../../src/client/verify-webhook.ts'
import type { Delivery } from '../../src/contract/delivery.ts'
import type { Caller } from '../support/http.ts'
import { startReceiver } from '../support/receiver.ts'
import { dumpDatabase, moveClock, readClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const unknownId = 'dlv_0123456789abcdefghjkmnpqrs'

/** Responds with the status in the path, with 204 by default, and to /held only when the test does. */
function respondByPath(path: string, response: ServerResponse, held: ServerResponse[]): void {
  if (path === '/held') held.push(response)
  else response.writeHead(Number(/^\/(\d{3})/.exec(path)?.[1] ?? 204)).end()
}

describe('the delivery log', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Receiver
  const held: ServerResponse[] = []
  let repaired = false
  beforeAll(async () => {
    receiver = await startReceiver(({ path }, response) =>
      respondByPath(repaired ? '/204' : path, response, held),
    )
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await receiver.stop()
    await service.stop()
  })

  async function sendTest(workspace: TestWorkspace, path: string): Promise<Delivery> {
    const sent = await workspace.owner.post('/webhooks/test', { url: `${receiver.url}${path}` })
    expect(sent.status).toBe(202)
    return sent.body
  }
  const find = async (person: Caller, search = ''): Promise<Delivery[]> =>
    (await person.get(`/deliveries${search}`)).body.deliveries
  const idsOf = (deliveries: Delivery[]) => deliveries.map(({ deliveryId }) => deliveryId)
  function waitForDelivery(person: Caller, deliveryId: string, expected: object): Promise<Delivery> {
    return vi.waitFor(async () => {
      const delivery = (await find(person)).find((one) => one.deliveryId === deliveryId)!
      expect(delivery).toMatchObject(expected)
      return delivery
    }, waitOptions)
  }

  test('a test event is signed, sent and logged like any other', async () => {
    const sent = await sendTest(acme, '/a-test')
    expect(sent).toMatchObject({
      eventType: 'service/test',
      kind: 'callback',
      state: 'pending',
      attempts: [],
    })
    expect(sent).not.toHaveProperty('taskId')
    const logged = await waitForDelivery(acme.owner, sent.deliveryId, {
      state: 'delivered',
      attempts: [{ status: 204 }],
    })
    const call = receiver.received.find(({ path }) => path === '/a-test')!
    // A single delivery also contains the exact bytes that were sent.
    const single = await acme.owner.get(`/deliveries/${sent.deliveryId}`)
    expect(single.body).toEqual({ ...logged, body: call.body })
    expect(await verifyWebhook(call.headers, call.body, acme.webhookSecret)).toEqual({
      eventId: logged.eventId,
      type: 'service/test',
      sentAt: expect.stringMatching(/Z$/),
    })
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': logged.eventId,
      'user-agent': expect.stringContaining('Handrail'),
    })
  })

  test('a test event may only be sent where a callback may', async () => {
    for (const url of ['http://[::1]:1/', 'http://10.0.0.1/', 'http://169.254.169.254/'])
      expect(await acme.owner.post('/webhooks/test', { url })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'url', message: expect.stringContaining('CALLBACK_ALLOW_CIDRS') }] },
      })
    for (const url of ['', 'not a url', 'ftp://example.com', `http://example.com/${'x'.repeat(2_048)}`])
      expect((await acme.owner.post('/webhooks/test', { url })).status).toBe(400)
  })

  test('can be filtered by state, task and time, newest first, with pagination', async () => {
    const brown = await service.workspace()
    const ok = await sendTest(brown, '/204')
    await waitForDelivery(brown.owner, ok.deliveryId, { state: 'delivered' })
    await moveClock(service.databaseUrl, '1 minute')
    const noon = (await readClock(service.databaseUrl)).toISOString()
    await moveClock(service.databaseUrl, '1 minute')
    const gone = await sendTest(brown, '/410')
    await waitForDelivery(brown.owner, gone.deliveryId, { state: 'failed' })
    const { taskId } = (await brown.agent.post('/tasks', taskPayload({ callbackUrl: `${receiver.url}/500` })))
      .body
    await brown.owner.post(`/tasks/${taskId}/mark-done`)
    const ofTask = (await find(brown.owner, `?taskId=${taskId}`))[0]!
    expect(ofTask).toMatchObject({ taskId, eventType: 'service/task_handled', url: `${receiver.url}/500` })
    const busy = await sendTest(brown, '/held')
    await vi.waitFor(() => expect(held).toHaveLength(1), waitOptions)

    const all = [busy, ofTask, gone, ok].map(({ deliveryId }) => deliveryId)
    expect(idsOf(await find(brown.owner))).toEqual(all)
    expect(idsOf(await find(brown.owner, '?state=delivered'))).toEqual([ok.deliveryId])
    expect(idsOf(await find(brown.owner, '?state=failed'))).toEqual([gone.deliveryId])
    expect(idsOf(await find(brown.owner, '?state=pending'))).toEqual(all.slice(0, 2))
    expect(idsOf(await find(brown.owner, `?taskId=${taskId}`))).toEqual([ofTask.deliveryId])
    expect(idsOf(await find(brown.owner, `?createdBefore=${noon}`))).toEqual([ok.deliveryId])
    expect(idsOf(await find(brown.owner, `?createdAfter=${noon}`))).toEqual(all.slice(0, 3))
    expect(idsOf(await find(brown.owner, `?createdAfter=${noon}&state=failed`))).toEqual([gone.deliveryId])
    expect(await find(brown.owner, `?createdAfter=${noon}&state=delivered`)).toEqual([])
    expect(idsOf(await find(brown.owner, `?endedAfter=${noon}`))).toEqual([gone.deliveryId])
    const { endedAt } = (await find(brown.owner, '?state=failed'))[0]!
    expect(await find(brown.owner, `?endedAfter=${endedAt}`)).toEqual([])
    expect(await find(brown.owner, '?taskId=tsk_0123456789abcdefghjkmnpqrs')).toEqual([])

    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await brown.owner.get(`/deliveries?limit=3&cursor=${encodeURIComponent(cursor)}`)
      pages.push(idsOf(body.deliveries))
      cursor = body.nextCursor
    }
    expect(pages).toEqual([all.slice(0, 3), all.slice(3)])

    for (const wrong of [
      'state=lost',
      'taskId=7',
      'createdAfter=yesterday',
      'endedAfter=yesterday',
      'cursor=abc',
      'limit=many',
      'x=y',
    ])
      expect((await brown.owner.get(`/deliveries?${wrong}`)).status, wrong).toBe(400)
    held.pop()!.writeHead(204).end()
    await waitForDelivery(brown.owner, busy.deliveryId, { state: 'delivered' })
  })

  test('shows every member the delivery status of a task, without URL and response', async () => {
    const mara = await acme.person()
    const { taskId } = (
      await acme.agent.post('/tasks', taskPayload({ callbackUrl: `${receiver.url}/503-of-a-member` }))
    ).body
    const statusForMember = async () => (await mara.get(`/tasks/${taskId}/deliveries`)).body.deliveries
    expect(await statusForMember()).toEqual([])
    await mara.post(`/tasks/${taskId}/mark-done`)
    await vi.waitFor(
      async () =>
        expect(await statusForMember()).toEqual([
          {
            deliveryId: expect.stringMatching(/^dlv_/),
            eventType: 'service/task_handled',
            kind: 'callback',
            state: 'pending',
            attemptCount: 1,
            lastStatus: 503,
            nextAttemptAt: expect.stringMatching(/Z$/),
            createdAt: expect.stringMatching(/Z$/),
          },
        ]),
      waitOptions,
    )
    expect((await mara.get('/tasks/tsk_0123456789abcdefghjkmnpqrs/deliveries')).status).toBe(404)
  })

  test('a redelivery, also of a delivered one, has the same id and bytes', async () => {
    const sent = await sendTest(acme, '/twice')
    await waitForDelivery(acme.owner, sent.deliveryId, { state: 'delivered' })
    const again = await acme.owner.post(`/deliveries/${sent.deliveryId}/redeliver`)
    expect(again).toMatchObject({ status: 202, body: { deliveryId: sent.deliveryId, state: 'pending' } })
    expect(again.body).not.toHaveProperty('endedAt')
    await waitForDelivery(acme.owner, sent.deliveryId, {
      state: 'delivered',
      attemptCount: 2,
      attempts: [{}, { number: 2 }],
    })
    const [one, two] = receiver.received.filter(({ path }) => path === '/twice')
    expect(two!.body).toBe(one!.body)
    expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id'])
  })

  test('a delivery with an attempt in progress cannot be redelivered', async () => {
    const sent = await sendTest(acme, '/held')
    await vi.waitFor(() => expect(held).toHaveLength(1), waitOptions)
    const refused = await acme.owner.post(`/deliveries/${sent.deliveryId}/redeliver`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    held.pop()!.writeHead(204).end()
    const done = await waitForDelivery(acme.owner, sent.deliveryId, { state: 'delivered' })
    expect(done.attempts).toHaveLength(1)
  })

  test('redelivering all since a time sends exactly the failed ones', async () => {
    const cole = await service.workspace()
    const before = await sendTest(cole, '/410-before')
    await waitForDelivery(cole.owner, before.deliveryId, { state: 'failed' })
    await moveClock(service.databaseUrl, '1 minute')
    const since = (await readClock(service.databaseUrl)).toISOString()
    const failed = [await sendTest(cole, '/410-a'), await sendTest(cole, '/410-b')]
    const arrived = await sendTest(cole, '/204')
    for (const { deliveryId } of failed) await waitForDelivery(cole.owner, deliveryId, { state: 'failed' })
    await waitForDelivery(cole.owner, arrived.deliveryId, { state: 'delivered' })

    repaired = true
    const { status, body } = await cole.owner.post('/deliveries/redeliver', { since })
    expect({ status, body }).toEqual({ status: 202, body: { count: 2 } })
    for (const { deliveryId } of failed)
      await waitForDelivery(cole.owner, deliveryId, {
        state: 'delivered',
        attempts: [{ status: 410 }, { status: 204 }],
      })
    repaired = false
    await waitForDelivery(cole.owner, before.deliveryId, { state: 'failed', attemptCount: 1 })
    await waitForDelivery(cole.owner, arrived.deliveryId, { attemptCount: 1 })
    expect((await cole.owner.post('/deliveries/redeliver', { since })).body).toEqual({ count: 0 })
    expect((await cole.owner.post('/deliveries/redeliver', { since: 'yesterday' })).status).toBe(400)
    expect((await cole.owner.post('/deliveries/redeliver')).status).toBe(400)
  })

  test('is for admins, hides other workspaces, and audits every change', async () => {
    const dora = await service.workspace()
    const admin = await dora.person('admin')
    const member = await dora.person('member')
    const sent = await sendTest(dora, '/204')
    await waitForDelivery(admin, sent.deliveryId, { state: 'delivered' })
    const calls: [name: string, call: (caller: Caller) => ReturnType<Caller['get']>, status: number][] = [
      ['list', (caller) => caller.get('/deliveries'), 200],
      ['redeliver', (caller) => caller.post(`/deliveries/${sent.deliveryId}/redeliver`), 202],
      [
        'redeliver all',
        (caller) => caller.post('/deliveries/redeliver', { since: '2026-01-01T00:00:00Z' }),
        202,
      ],
      ['test', (caller) => caller.post('/webhooks/test', { url: `${receiver.url}/204` }), 202],
      ['rotate', (caller) => caller.post('/webhooks/secret/rotate', { password: testPassword }), 200],
      ['reveal', (caller) => caller.post('/webhooks/secret/reveal', { password: testPassword }), 200],
    ]
    for (const [name, call, status] of calls) {
      expect((await call(member)).body, name).toMatchObject({ code: 'forbidden', status: 403 })
      expect((await call(dora.agent)).body, name).toMatchObject({ code: 'forbidden', status: 403 })
      expect((await call(admin)).status, name).toBe(status)
    }
    const { entries } = (await dora.owner.get('/audit')).body
    const mine = entries.filter(({ actor }: { actor: string }) => actor === entries[0].actor)
    expect(mine.map(({ action }: { action: string }) => action).slice(0, 5)).toEqual([
      'webhook_secret.revealed',
      'webhook_secret.rotated',
      'delivery.test_sent',
      'delivery.all_failed_redelivered',
      'delivery.redelivered',
    ])
    expect(mine[4].subject).toBe(sent.deliveryId)
    // Names are the current ones, and a key may be named after a person.
    const stored = entries.map((entry: object) => ({ ...entry, actorName: '', subjectName: '' }))
    expect(JSON.stringify(stored)).not.toContain('@')

    const foreign = await acme.owner.post(`/deliveries/${sent.deliveryId}/redeliver`)
    const missing = await acme.owner.post(`/deliveries/${unknownId}/redeliver`)
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect(idsOf(await find(acme.owner))).not.toContain(sent.deliveryId)
  })
})

describe('the secret that callbacks are signed with', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })
  const reveal = (password: string) => acme.owner.post('/webhooks/secret/reveal', { password })
  async function received() {
    const before = receiver.received.length
    await acme.owner.post('/webhooks/test', { url: receiver.url })
    return (await receiver.calls(before + 1))[before]!
  }

  // Not only the newest entry: a wrong password is recorded after its response.
  const auditedActions = async () =>
    (await acme.owner.get('/audit')).body.entries.map(({ action }: { action: string }) => action)

  test('is shown to an admin after their password, and is not readable in the database', async () => {
    for (const wrong of ['', 'wrong', testPassword.toUpperCase()]) {
      const refused = await reveal(wrong)
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } })
      expect(JSON.stringify(refused.body)).not.toContain('whsec_')
    }
    expect(await auditedActions()).not.toContain('webhook_secret.revealed')
    expect(await reveal(testPassword)).toMatchObject({ status: 200, body: { secret: acme.webhookSecret } })
    expect(await auditedActions()).toContain('webhook_secret.revealed')
    const dump = await dumpDatabase(service.databaseUrl)
    expect(dump).toContain(acme.ownerEmail)
    expect(dump).not.toContain(acme.webhookSecret.slice('whsec_'.length))
  })

  test('is used together with the old one for 24 hours after a rotation, then alone', async () => {
    const old = acme.webhookSecret
    expect((await received()).headers['webhook-signature']!.split(' ')).toHaveLength(1)
    const rotated = (await acme.owner.post('/webhooks/secret/rotate', { password: testPassword })).body
    expect(rotated).toEqual({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), previous: old })
    expect(rotated.secret).not.toBe(old)
    expect((await reveal(testPassword)).body).toEqual(rotated)

    await moveClock(service.databaseUrl, '23 hours 59 minutes')
    const during = await received()
    expect(during.headers['webhook-signature']!.split(' ')).toHaveLength(2)
    for (const secret of [old, rotated.secret])
      expect(await verifyWebhook(during.headers, during.body, secret)).toMatchObject({ type: 'service/test' })

    await moveClock(service.databaseUrl, '2 minutes')
    const after = await received()
    expect(await verifyWebhook(after.headers, after.body, rotated.secret)).toMatchObject({
      type: 'service/test',
    })
    await expect(verifyWebhook(after.headers, after.body, old)).rejects.toThrow(WebhookNotVerified)
    expect((await reveal(testPassword)).body).toEqual({ secret: rotated.secret })
  })

  test('is one after several rotations at once: the others end within a day', async () => {
    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => acme.owner.post('/webhooks/secret/rotate', { password: testPassword })),
    )
    expect(rotations.map(({ status }) => status)).toEqual(Array(6).fill(200))
    await moveClock(service.databaseUrl, '24 hours 1 minute')
    expect((await received()).headers['webhook-signature']!.split(' ')).toHaveLength(1)
  })

  test('is one of three after a second rotation within a day', async () => {
    const one = (await acme.owner.post('/webhooks/secret/rotate', { password: testPassword })).body
    const two = (await acme.owner.post('/webhooks/secret/rotate', { password: testPassword })).body
    const call = await received()
    for (const secret of [one.previous, one.secret, two.secret])
      expect(await verifyWebhook(call.headers, call.body, secret)).toMatchObject({ type: 'service/test' })
  })
})
