import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import { createSubscription } from '../support/fake-push-service.ts'
import { buttonTexts, type FakeSlack, startFakeSlack, textOf } from '../support/fake-slack.ts'
import { choose } from '../support/notifications.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { signedIn, startService, type TestService, taskPayload } from '../support/service.ts'
import { connectedWorkspace, linkedWorkspace } from '../support/slack-workspace.ts'
import { query } from '../support/sql.ts'
import { runSweeps } from '../support/sweeps.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let slack: FakeSlack
let linked: Awaited<ReturnType<typeof linkedWorkspace>>
beforeAll(async () => {
  slack = await startFakeSlack()
  service = await startService({ SLACK_API_URL: slack.url })
  linked = await linkedWorkspace(service, slack)
})
beforeEach(async () => {
  const { app, set, channel, mara, userId } = linked
  await set([{ channelId: channel, name: '#tasks', for: 'all' }])
  await app.link(mara, userId)
})
afterAll(async () => {
  await service.stop()
  await slack.stop()
  expect(slack.problems).toEqual([])
})

/** Nothing is posted in channels. `direct` returns the messages to the member from now on. */
async function onlyDirectMessages() {
  await linked.set([])
  const toMember = () => slack.inChannel(linked.userId.replace('U', 'D'))
  const earlier = toMember().length
  return { ...linked, direct: () => toMember().slice(earlier) }
}

describe('what is being added while a person signs out everywhere does not stay', () => {
  const signOutEverywhere = ({ cookie }: { cookie: string }) =>
    fetch(`${service.url}/api/auth/revoke-sessions`, {
      method: 'POST',
      headers: { origin: service.url, cookie },
    })

  test.each([
    ['a code for Slack', 'slack_codes', '/notifications/slack/code', {}],
    [
      'a browser for push messages',
      'push_subscriptions',
      '/notifications/push/browsers',
      createSubscription('https://fcm.googleapis.com/browser').subscription,
    ],
  ])('%s', async (_, table, path, body) => {
    const { workspace, mara } = await connectedWorkspace(service, slack)
    const { people } = service.app.service
    const findSignedInPerson = people.findSignedInPerson
    // Signs out once the request has been authenticated.
    vi.spyOn(people, 'findSignedInPerson').mockImplementationOnce(async (headers) => {
      const person = await findSignedInPerson(headers)
      await signOutEverywhere(mara)
      return person
    })
    expect((await mara.post(path, body)).status).toBe(401)
    const rows = `SELECT FROM ${table} WHERE workspace_id = $1`
    expect(await query(service.databaseUrl, rows, [workspace.workspaceId])).toEqual([])
  })

  test('the link of a Slack user', async () => {
    const { workspace, app, userId, mara } = await connectedWorkspace(service, slack)
    const { command } = (await mara.post('/notifications/slack/code')).body
    await asOwner(service.databaseUrl, async (client) => {
      const waitingForLocks = async (count: number) =>
        expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBeGreaterThanOrEqual(count)
      // The link has been inserted when its audit entry waits for this lock.
      await client.query('BEGIN')
      await client.query('LOCK TABLE audit_log IN SHARE MODE')
      const linking = app.command(userId, command.replace('/handrail ', ''))
      await waitingForLocks(1)
      const signingOut = signOutEverywhere(mara)
      await waitingForLocks(2)
      await client.query('COMMIT')
      await Promise.all([linking, signingOut])
    })
    const again = await signedIn(service.url, mara.email, workspace.workspaceId)
    expect((await again.get('/notifications')).body.slack.linkedTo).toBeUndefined()
  })
})

test('channels get the tasks of their policy or group and of their priorities, each once', async () => {
  const { workspace, channel, set, posted } = linked
  const pair = { app: 'shop', type: 'payment' }
  const { policyId } = (await workspace.owner.post('/policies', pair)).body
  const { groupId } = (await workspace.owner.post('/groups', { slug: 'leads', name: 'Leads', members: [] }))
    .body
  const base = `${channel}0`
  expect(
    (await set([{ channelId: channel, name: 'a', policyId: `pol_${'0'.repeat(26)}`, for: 'all' }])).status,
  ).toBe(400)
  await set([
    { channelId: channel, name: '#all', for: 'all' },
    { channelId: channel, name: '#all', for: 'high' },
    { channelId: `${base}1`, name: '#payments', policyId, for: 'all' },
    { channelId: `${base}2`, name: '#leads', groupId, for: 'all' },
    { channelId: `${base}3`, name: '#urgent', for: 'urgent' },
  ])
  const count = () => [channel, `${base}1`, `${base}2`, `${base}3`].map((id) => slack.inChannel(id).length)
  await posted(taskPayload({ app: 'shop' }, { type: 'payment' }))
  await expect.poll(count).toEqual([1, 1, 0, 0])
  await posted(taskPayload({ assignTo: 'group:leads', priority: 'urgent' }))
  await expect.poll(count).toEqual([2, 1, 1, 1])
  // The policy sets nothing else, but it has a channel.
  for (const share of [0.1, 0]) await workspace.owner.put('/policies/double-reviews', { ...pair, share })
  expect((await workspace.owner.get('/slack')).body.channels).toHaveLength(5)
  await workspace.owner.delete(`/policies/${policyId}`)
  await workspace.owner.delete(`/groups/${groupId}`)
  const { channels } = (await workspace.owner.get('/slack')).body
  expect(channels.map(({ name }: { name: string }) => name)).toEqual(['#all', '#all', '#urgent'])
  const textIn = (id: string) => textOf(slack.inChannel(id)[0]!.blocks)
  for (const removed of [`${base}1`, `${base}2`])
    await expect.poll(() => textIn(removed)).toBe('This task is no longer shown here.')
  expect(textIn(channel)).toContain('Refund')
})

test('a linked person gets direct messages, what happens later in the thread, and nothing after unlinking', async () => {
  const { workspace, mara, direct } = await onlyDirectMessages()
  await mara.put('/notifications', choose({ slack: ['high', 'assigned'] }))
  expect((await mara.get('/notifications')).body.slack).toEqual({
    available: true,
    linkedTo: 'Mara in Slack',
    wants: ['high', 'assigned'],
  })
  const { taskId } = (await workspace.agent.post('/tasks', taskPayload({ priority: 'high' }))).body
  await workspace.agent.post('/tasks', taskPayload({ priority: 'low' }))
  await expect.poll(direct).toHaveLength(1)
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
  await expect.poll(direct).toHaveLength(2)
  expect(direct()[1]!.threadTs).toBe(direct()[0]!.ts)
  expect((await mara.delete('/notifications/slack')).status).toBe(204)
  const later = (await workspace.agent.post('/tasks', taskPayload({ priority: 'high' }))).body.taskId
  await workspace.owner.post(`/tasks/${later}/assign`, { to: mara.email })
  expect((await mara.get('/notifications')).body.slack.linkedTo).toBeUndefined()
  const announcements = `SELECT FROM deliveries WHERE task_id = $1 AND kind = 'notice'`
  await expect.poll(() => query(service.databaseUrl, announcements, [later])).toEqual([])
  const { deliveries } = (await workspace.owner.get(`/deliveries?taskId=${later}`)).body
  expect(deliveries).toEqual([])
  expect(direct()).toHaveLength(2)
})

test('of two messages about a task that are sent at the same time, only one keeps its buttons, also if Slack is down meanwhile', async () => {
  const { workspace, userId, mara, app, direct } = await onlyDirectMessages()
  await mara.put('/notifications', choose({ slack: ['high', 'assigned'] }))
  const postings = slack.hold('chat.postMessage')
  const { taskId } = (await workspace.agent.post('/tasks', taskPayload({ priority: 'high' }))).body
  await expect.poll(postings.count).toBe(1)
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
  await expect.poll(postings.count).toBe(2)
  const isShortened = vi.fn(({ text }) => /^(High|Assigned to you)$/.test(text))
  slack.respondOnce('chat.update', { status: 503, body: {}, to: isShortened })
  postings.release()
  await expect.poll(direct).toHaveLength(2)
  await expect.poll(() => isShortened.mock.results.map(({ value }) => value)).toContain(true)
  const failed = `SELECT FROM deliveries WHERE task_id = $1 AND state = 'pending' AND attempt_count = 1`
  await expect.poll(() => query(service.databaseUrl, failed, [taskId])).toHaveLength(1)
  // Longer than the delay of the first retry.
  await moveClock(service.databaseUrl, '10 seconds')
  const answerable = () => direct().filter((message) => buttonTexts(message).includes('Approve'))
  await expect.poll(answerable).toHaveLength(1)
  const [kept] = answerable()
  const other = direct().find((message) => message !== kept)!
  expect(textOf(other.blocks)).toMatch(/^(High|Assigned to you)\nOpen in Handrail$/)
  await app.click(userId, kept!, 'Approve')
  await expect.poll(() => textOf(kept!.blocks)).toContain('Answered: Approve')
})

test('during quiet hours direct messages are held back, and then come as one list', async () => {
  const { workspace, mara, direct } = await onlyDirectMessages()
  const quietHours = { from: '00:00', to: '23:59', timeZone: 'UTC', exceptUrgent: false }
  await mara.put('/notifications', { ...choose({ slack: 'all' }), quietHours })
  const taskIds = []
  for (const name of ['One', 'Two', 'Three'])
    taskIds.push((await workspace.agent.post('/tasks', taskPayload({}, { name }))).body.taskId)
  await expect.poll(() => heldCount(workspace.workspaceId)).toBe(3)
  await workspace.owner.post(`/tasks/${taskIds[2]}/mark-done`, { revision: 1 })
  await query(
    service.databaseUrl,
    'UPDATE held_notifications SET due_at = app_now() WHERE workspace_id = $1',
    [workspace.workspaceId],
  )
  await runSweeps(service)
  await expect.poll(direct).toHaveLength(1)
  // Without names, which nothing would delete here.
  expect(textOf(direct()[0]!.blocks)).toBe('2 tasks are waiting\nOpen in Handrail')
})

async function heldCount(workspaceId: string): Promise<number> {
  const held = 'SELECT FROM held_notifications WHERE workspace_id = $1'
  return (await query(service.databaseUrl, held, [workspaceId])).length
}

test('a limit of Slack delays a message, and a revoked token is shown on the task and in the settings', async () => {
  const { workspace, channel, posted } = linked
  const earlier = slack.inChannel(channel).length
  slack.respondOnce('chat.postMessage', {
    status: 429,
    headers: { 'retry-after': '30' },
    body: { ok: false, error: 'ratelimited' },
  })
  const { taskId } = (await workspace.agent.post('/tasks', taskPayload())).body
  const deliveries = async (id: string) =>
    (await workspace.owner.get(`/tasks/${id}/deliveries`)).body.deliveries
  await expect
    .poll(() => deliveries(taskId))
    .toMatchObject([{ kind: 'slack', state: 'pending', lastStatus: 429 }])
  await moveClock(service.databaseUrl, '31 seconds')
  await expect.poll(() => slack.inChannel(channel)).toHaveLength(earlier + 1)
  slack.respondOnce('chat.postMessage', { body: { ok: false, error: 'token_revoked' } })
  const failed = (await workspace.agent.post('/tasks', taskPayload())).body.taskId
  await expect
    .poll(() => deliveries(failed))
    .toMatchObject([{ kind: 'slack', state: 'failed', attemptCount: 1 }])
  const { connection } = (await workspace.owner.get('/slack')).body
  expect(connection).toMatchObject({
    problem: expect.stringContaining('was revoked'),
    problemAt: expect.any(String),
  })
  await posted()
  await expect.poll(async () => (await workspace.owner.get('/slack')).body.connection.problem).toBeUndefined()
})

test('when the content of a task is deleted, its message says so and nothing else', async () => {
  const { workspace, app, userId, posted } = linked
  const { taskId, message } = await posted()
  await app.click(userId, message, 'Approve')
  await expect.poll(() => textOf(message.blocks)).toContain('Answered')
  await expect.poll(async () => (await workspace.owner.delete(`/tasks/${taskId}/content`)).status).toBe(204)
  await expect.poll(() => textOf(message.blocks)).toBe('The content of this task was deleted.')
  expect(JSON.stringify(message)).not.toContain('Refund')
})

test('a test message takes the same path', async () => {
  const { workspace, channel } = linked
  const { deliveryId } = (await workspace.owner.post('/slack/test', { channelId: channel })).body
  await expect
    .poll(async () => (await workspace.owner.get(`/deliveries/${deliveryId}`)).body)
    .toMatchObject({ kind: 'slack', to: channel, state: 'delivered' })
  expect(textOf(slack.inChannel(channel).at(-1)!.blocks)).toContain('Handrail can reach this channel')
})

test('the message of someone who was erased no longer names them', async () => {
  const { workspace, app, userId, mara, posted } = linked
  const { message } = await posted()
  await app.click(userId, message, 'Approve')
  await expect.poll(() => textOf(message.blocks)).toContain('by Mara Member')
  const { members } = (await workspace.owner.get('/members')).body
  const { userId: id } = members.find(({ email }: { email: string }) => email === mara.email)
  await workspace.owner.delete(`/members/${id}?erase=true`)
  // The erasure is due now, and the service looks for it every five seconds.
  await moveClock(service.databaseUrl, '6 seconds')
  await expect.poll(() => textOf(message.blocks)).toContain('by a former member')
})
