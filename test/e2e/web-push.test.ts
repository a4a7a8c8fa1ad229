import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSubscription, startPushService } from '../support/fake-push-service.ts'
import { markedPayload, newMarker } from '../support/marked-payload.ts'
import { choose } from '../support/notifications.ts'
import { startReceiver } from '../support/receiver.ts'
import { moveClock, readClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let pushService: Awaited<ReturnType<typeof startPushService>>
let redirecting: Awaited<ReturnType<typeof startReceiver>>
let workspace: TestWorkspace
let mara: Awaited<ReturnType<TestWorkspace['person']>>

beforeAll(async () => {
  pushService = await startPushService()
  redirecting = await startReceiver((_, response) => {
    response.writeHead(307, { location: `${redirecting.url}/elsewhere` }).end()
  })
  service = await startService({
    CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
    PUSH_SERVICES: `${pushService.origin},${redirecting.url}`,
  })
  workspace = await service.workspace('Ours')
  mara = await workspace.person()
})
// Nobody gets push messages, and none waits to be sent again.
beforeEach(async () => {
  for (const table of ['push_subscriptions', 'deliveries'])
    await query(service.databaseUrl, `DELETE FROM ${table} WHERE workspace_id = $1`, [workspace.workspaceId])
  await workspace.owner.put('/notifications', choose({ push: ['urgent', 'high', 'assigned'] }))
})
afterAll(async () => {
  await service.stop()
  await pushService.stop()
  await redirecting.stop()
})

type Person = Pick<TestWorkspace['owner'], 'get' | 'post' | 'put' | 'delete'>

async function addBrowser(person: Person) {
  const browser = pushService.subscribe()
  const added = await person.post('/notifications/push/browsers', browser.subscription)
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  return { ...browser, subscriptionId: added.body.subscriptionId as string }
}

const send = async (workspace: TestWorkspace, more: object = {}): Promise<string> =>
  (await workspace.agent.post('/tasks', taskPayload({ priority: 'high', ...more }))).body.taskId

const browsersOf = async (person: Person) => (await person.get('/notifications')).body.push.browsers
const pushesOf = async (workspace: TestWorkspace, taskId: string) =>
  (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries

test('a push message says that a task is waiting and leads to it, and contains nothing of the task', async () => {
  const marker = newMarker()
  const workspace = await service.workspace('Harbour Goods')
  const { publicKey } = (await workspace.owner.get('/notifications')).body.push
  const { messages, subscription } = await addBrowser(workspace.owner)
  const payload = markedPayload(marker, { priority: 'urgent', app: marker })
  const { taskId } = (await workspace.agent.post('/tasks', payload)).body
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  const [message] = messages
  expect(message!.payload).toEqual({
    title: 'A task is waiting',
    body: 'Harbour Goods',
    path: `/w/${workspace.workspaceId}/inbox/${taskId}`,
    tag: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(message!.headers).toMatchObject({ ttl: '14400', urgency: 'high', topic: message!.payload.tag })
  expect(message!.key).toBe(publicKey)
  expect(message!.claims.sub).toMatch(/^(mailto:|https:)/)
  expect(message!.claims.exp! - Date.now() / 1000).toBeLessThanOrEqual(24 * 3600)
  // Neither the request nor what is stored and shown about it has content, or the secret endpoint.
  expect(JSON.stringify(message)).not.toContain(marker)
  const [delivery] = await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ kind: 'push', to: workspace.ownerEmail, state: 'delivered' }])
    .then(() => pushesOf(workspace, taskId))
  const details = (await workspace.owner.get(`/deliveries/${delivery.deliveryId}`)).body
  expect(JSON.stringify(details)).not.toContain(marker)
  const settings = (await workspace.owner.get('/notifications')).body
  for (const text of [JSON.stringify(details), JSON.stringify(settings)])
    for (const secret of [
      subscription.endpoint,
      new URL(subscription.endpoint).pathname,
      subscription.keys.auth,
    ])
      expect(text).not.toContain(secret)
})

test('a later message about the same task has its topic and replaces the earlier; another task has another', async () => {
  const { messages } = await addBrowser(workspace.owner)
  const taskId = await send(workspace)
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: workspace.ownerEmail })
  await mara.post(`/tasks/${taskId}/assign`, { to: workspace.ownerEmail })
  await mara.post(`/tasks/${taskId}/notes`, { text: `@${workspace.ownerEmail} look` })
  await expect.poll(() => messages.length, waitOptions).toBeGreaterThanOrEqual(2)
  await send(workspace, { priority: 'urgent' })
  await expect.poll(() => new Set(messages.map(({ headers }) => headers.topic)).size, waitOptions).toBe(2)
  const ofTask = messages.filter(({ payload }) => payload.path.endsWith(taskId))
  expect(ofTask.length).toBeGreaterThanOrEqual(2)
  expect(new Set(ofTask.map(({ headers }) => headers.topic)).size).toBe(1)
})

test('whoever turns on the first browser hears of urgent and high tasks and what is addressed to them, until they choose', async () => {
  const workspace = await service.workspace()
  const { messages } = await addBrowser(workspace.owner)
  expect((await workspace.owner.get('/notifications')).body.push.wants).toEqual([
    'urgent',
    'high',
    'assigned',
  ])
  await workspace.owner.put('/notifications', choose({ push: ['low'] }))
  await addBrowser(workspace.owner)
  expect((await workspace.owner.get('/notifications')).body.push.wants).toEqual(['low'])
  await send(workspace, { priority: 'urgent' })
  const taskId = await send(workspace, { priority: 'low' })
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  expect(messages[0]!.payload.path).toContain(taskId)
  expect(messages[0]!.headers.urgency).toBe('normal')
})

test('earlier choices for email count as none for push, but turning off everything after the first browser counts', async () => {
  const { owner } = await service.workspace()
  const wants = async () => (await owner.get('/notifications')).body.push.wants
  await owner.put('/notifications', choose({ mail: ['low'] }))
  await addBrowser(owner)
  expect(await wants()).toEqual(['urgent', 'high', 'assigned'])
  await owner.put('/notifications', choose({ mail: ['low'] }))
  await addBrowser(owner)
  expect(await wants()).toEqual([])
})

test('subscriptions that ended (404, 410) are forgotten; the other browser still gets the message', async () => {
  for (const status of [404, 410]) (await addBrowser(workspace.owner)).responses.push({ status })
  const other = await addBrowser(workspace.owner)
  const taskId = await send(workspace)
  await expect.poll(() => other.messages, waitOptions).toHaveLength(1)
  await expect.poll(() => browsersOf(workspace.owner), waitOptions).toHaveLength(1)
  expect((await browsersOf(workspace.owner))[0].subscriptionId).toBe(other.subscriptionId)
  await expect.poll(() => pushesOf(workspace, taskId), waitOptions).toMatchObject([{ state: 'delivered' }])
})

test('if no browser is left, the delivery fails at once', async () => {
  const { responses } = await addBrowser(workspace.owner)
  responses.push({ status: 410 })
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([
      {
        state: 'failed',
        attempts: [{ error: 'The person has no browser that gets push messages.' }],
      },
    ])
})

const overloaded = { status: 429, headers: { 'retry-after': '600' } }

test('a push service that is overloaded is asked again, not before it allows it', async () => {
  const { responses, messages } = await addBrowser(workspace.owner)
  responses.push(overloaded)
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ state: 'pending', attempts: [{ status: 429 }] }])
  const [{ nextAttemptAt, createdAt }] = await pushesOf(workspace, taskId)
  expect(Date.parse(nextAttemptAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(600_000)
  await moveClock(service.databaseUrl, '11 minutes')
  await expect.poll(() => messages, waitOptions).toHaveLength(2)
  await expect.poll(() => pushesOf(workspace, taskId), waitOptions).toMatchObject([{ state: 'delivered' }])
})

test('a message that waits for a retry is not sent once its task has ended, which is no failure', async () => {
  const { responses, messages } = await addBrowser(workspace.owner)
  responses.push(overloaded)
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ attempts: [{ status: 429 }] }])
  await workspace.owner.post(`/tasks/${taskId}/mark-done`, { revision: 1 })
  await moveClock(service.databaseUrl, '11 minutes')
  await expect.poll(() => pushesOf(workspace, taskId), waitOptions).toMatchObject([{ state: 'delivered' }])
  const [{ attempts }] = await pushesOf(workspace, taskId)
  expect(attempts).toMatchObject([{ status: 429 }, { error: 'Not sent: the task has ended.' }])
  expect(attempts[1]).not.toHaveProperty('status')
  expect(messages).toHaveLength(1)
})

test('a message to someone who was removed meanwhile fails, and says so', async () => {
  const noah = await workspace.person()
  const { responses, messages } = await addBrowser(noah)
  responses.push(overloaded)
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ attempts: [{ status: 429 }] }])
  const { userId } = (await noah.get('/me')).body.person
  expect((await workspace.owner.delete(`/members/${userId}`)).status).toBe(204)
  await moveClock(service.databaseUrl, '11 minutes')
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([
      { state: 'failed', attempts: [{ status: 429 }, { error: 'The person is no longer a member.' }] },
    ])
  expect(messages).toHaveLength(1)
})

test('a refused signature (403) does not forget the browser', async () => {
  const { responses } = await addBrowser(workspace.owner)
  responses.push({ status: 403 })
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ state: 'pending', attempts: [{ status: 403 }] }])
  expect(await browsersOf(workspace.owner)).toHaveLength(1)
})

test('during quiet hours nothing is sent; afterwards one message counts the tasks that still wait', async () => {
  const workspace = await service.workspace('Studio Lindqvist')
  const { messages } = await addBrowser(workspace.owner)
  const now = await readClock(service.databaseUrl)
  const timeOfDay = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16)
  const quietHours = { from: timeOfDay(-1), to: timeOfDay(2), timeZone: 'UTC', exceptUrgent: true }
  await workspace.owner.put('/notifications', { ...choose({ push: 'all' }), quietHours })
  await send(workspace)
  await send(workspace, { priority: 'low' })
  const answered = await send(workspace)
  await workspace.owner.post(`/tasks/${answered}/handle`, { actionId: 'approve' })
  const urgent = await send(workspace, { priority: 'urgent' })
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  expect(messages[0]!.payload.path).toContain(urgent)
  // The service looks for what is due every five seconds.
  await moveClock(service.databaseUrl, '3 hours')
  await expect.poll(() => messages, waitOptions).toHaveLength(2)
  expect(messages[1]!.payload).toMatchObject({
    title: '2 tasks are waiting',
    body: 'Studio Lindqvist',
    path: `/w/${workspace.workspaceId}/inbox`,
  })
})

test('whoever is mentioned in a task that has ended gets a message, and not that it is waiting', async () => {
  const { messages } = await addBrowser(workspace.owner)
  await workspace.owner.put('/notifications', choose({ push: ['assigned'] }))
  const taskId = await send(workspace)
  await mara.post(`/tasks/${taskId}/mark-done`, { revision: 1 })
  await mara.post(`/tasks/${taskId}/notes`, { text: `@${workspace.ownerEmail} It was the wrong parcel.` })
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  expect(messages[0]!.payload).toMatchObject({
    title: 'A note mentions you',
    path: `/w/${workspace.workspaceId}/inbox/${taskId}`,
  })
})

test('a test message reaches every browser of the person; without a browser there is nothing to test', async () => {
  expect((await workspace.owner.post('/notifications/push/test')).status).toBe(409)
  const browsers = [await addBrowser(workspace.owner), await addBrowser(workspace.owner)]
  expect((await workspace.owner.post('/notifications/push/test')).status).toBe(202)
  for (const { messages } of browsers) {
    await expect.poll(() => messages, waitOptions).toHaveLength(1)
    expect(messages[0]!.payload.title).toBe('Push messages work')
  }
})

test('a browser belongs to whoever turned it on last, and nobody else sees or removes it', async () => {
  const { subscription, messages, subscriptionId } = await addBrowser(workspace.owner)
  expect(await browsersOf(mara)).toEqual([])
  expect((await mara.delete(`/notifications/push/browsers/${subscriptionId}`)).status).toBe(404)
  const again = await mara.post('/notifications/push/browsers', subscription)
  expect(again.body.subscriptionId).toBe(subscriptionId)
  expect(await browsersOf(workspace.owner)).toEqual([])
  expect(await browsersOf(mara)).toMatchObject([{ subscriptionId }])
  await workspace.owner.put('/notifications', choose({}))
  await send(workspace)
  await expect.poll(() => messages, waitOptions).toHaveLength(1)
  expect((await mara.delete(`/notifications/push/browsers/${subscriptionId}`)).status).toBe(204)
  expect(await browsersOf(mara)).toEqual([])
})

test('the same browser in two workspaces gets the messages of both, with different topics', async () => {
  const [ours, theirs] = [workspace, await service.workspace('Theirs')]
  const { subscription, messages, subscriptionId } = await addBrowser(ours.owner)
  await theirs.owner.post('/notifications/push/browsers', subscription)
  expect((await theirs.owner.delete(`/notifications/push/browsers/${subscriptionId}`)).status).toBe(404)
  await send(ours)
  await send(theirs)
  await expect.poll(() => messages, waitOptions).toHaveLength(2)
  expect(messages.map(({ payload }) => payload.body).sort()).toEqual(['Ours', 'Theirs'])
  expect(messages[0]!.headers.topic).not.toBe(messages[1]!.headers.topic)
})

test('whose sessions an admin ends, or who leaves, gets no more messages', async () => {
  const lea = await workspace.person()
  const { messages } = await addBrowser(lea)
  const noah = await workspace.person()
  await addBrowser(noah)
  const { members } = (await workspace.owner.get('/members')).body
  const idOf = (person: { email: string }) =>
    members.find(({ email }: { email: string }) => email === person.email).userId
  expect((await workspace.owner.delete(`/members/${idOf(lea)}/sessions`)).status).toBe(204)
  expect((await workspace.owner.delete(`/members/${idOf(noah)}`)).status).toBe(204)
  const stored = 'SELECT FROM push_subscriptions WHERE workspace_id = $1'
  expect(await query(service.databaseUrl, stored, [workspace.workspaceId])).toEqual([])
  const owner = await addBrowser(workspace.owner)
  const taskId = await send(workspace)
  await expect.poll(() => owner.messages, waitOptions).toHaveLength(1)
  expect(await pushesOf(workspace, taskId)).toMatchObject([{ to: workspace.ownerEmail }])
  expect(messages).toEqual([])
})

test('only known push services are accepted, and only valid keys', async () => {
  const { owner } = workspace
  const add = (endpoint: string, keys = {}) => {
    const { subscription } = createSubscription(endpoint)
    return owner.post('/notifications/push/browsers', { endpoint, keys: { ...subscription.keys, ...keys } })
  }
  for (const endpoint of [
    'https://push.example.com/abc',
    'http://169.254.169.254/',
    'http://fcm.googleapis.com/a',
  ])
    expect(await add(endpoint)).toMatchObject({ status: 400, body: { errors: [{ path: 'endpoint' }] } })
  const notOnTheCurve = { p256dh: Buffer.alloc(65, 4).toString('base64url') }
  expect(await add(`${pushService.origin}/push/1`, notOnTheCurve)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'keys.p256dh' }] },
  })
  expect(await browsersOf(owner)).toEqual([])
})

test('a redirect of a push service is not followed', async () => {
  const { subscription } = createSubscription(`${redirecting.url}/push`)
  await workspace.owner.post('/notifications/push/browsers', subscription)
  const taskId = await send(workspace)
  await expect
    .poll(() => pushesOf(workspace, taskId), waitOptions)
    .toMatchObject([{ state: 'pending', attempts: [{ status: 307 }] }])
  expect(redirecting.received.map(({ path }) => path)).toEqual(['/push'])
})

test('of more browsers than the limit, the oldest is dropped', async () => {
  const first = await addBrowser(workspace.owner)
  for (let count = 0; count < 20; count++) await addBrowser(workspace.owner)
  const browsers = await browsersOf(workspace.owner)
  expect(browsers).toHaveLength(20)
  expect(JSON.stringify(browsers)).not.toContain(first.subscriptionId)
})
