import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeSlack, startFakeSlack, textOf } from '../support/fake-slack.ts'
import { callAs } from '../support/http.ts'
import { startMailServer } from '../support/mail-server.ts'
import { choose } from '../support/notifications.ts'
import { asOwner, readClock } from '../support/rows.ts'
import { startService, type TestService, taskPayload } from '../support/service.ts'
import { linkedWorkspace } from '../support/slack-workspace.ts'
import { runSweeps } from '../support/sweeps.ts'

let service: TestService
let slack: FakeSlack
let mail: Awaited<ReturnType<typeof startMailServer>>
let connected: Awaited<ReturnType<typeof linkedWorkspace>>
beforeAll(async () => {
  slack = await startFakeSlack()
  mail = await startMailServer()
  service = await startService({
    SLACK_API_URL: slack.url,
    SMTP_URL: mail.url,
    MAIL_FROM: 'handrail@example.com',
  })
  connected = await linkedWorkspace(service, slack)
  await connected.set([])
})
afterAll(async () => {
  await service.stop()
  await slack.stop()
  await mail.stop()
})

const everywhere = choose({ mail: 'all', slack: 'all' })

/** The workspace, whose member Mara gets emails and direct messages in Slack, as if nothing had happened yet. */
async function setUp() {
  const { workspace, mara, userId } = connected
  await mara.put('/notifications', everywhere)
  const query = (text: string, ...values: string[]) =>
    asOwner(service.databaseUrl, async (client) => {
      const { rows } = await client.query(text, [workspace.workspaceId, ...values])
      return rows
    })
  await query('DELETE FROM held_notifications WHERE workspace_id = $1')
  await expect
    .poll(() => query(`SELECT 1 FROM deliveries WHERE workspace_id = $1 AND state = 'pending'`))
    .toEqual([])
  const inSlack = () => slack.inChannel(userId.replace('U', 'D'))
  const earlier = { mails: mail.mails.length, direct: inSlack().length }
  /** Nobody is still to hear of a new task. */
  const announced = () =>
    expect
      .poll(() => query(`SELECT 1 FROM deliveries WHERE workspace_id = $1 AND kind = 'notice'`))
      .toEqual([])
  return {
    workspace,
    mara,
    send: async (more: object = {}, task = {}): Promise<string> =>
      (await workspace.agent.post('/tasks', taskPayload({ priority: 'high', ...more }, task))).body.taskId,
    mention: (taskId: string) =>
      workspace.owner.post(`/tasks/${taskId}/notes`, { text: `@${mara.email} Which parcel?` }),
    becomesQuiet: async (forHours = 2) => {
      const now = await readClock(service.databaseUrl)
      const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16)
      const quietHours = { from: at(-1), to: at(forHours), timeZone: 'UTC', exceptUrgent: false }
      await mara.put('/notifications', { ...everywhere, quietHours })
    },
    held: () => query('SELECT label, reason FROM held_notifications WHERE workspace_id = $1 ORDER BY medium'),
    heldUntil: async (): Promise<Record<string, Date>> => {
      const rows = await query('SELECT medium, due_at FROM held_notifications WHERE workspace_id = $1')
      return Object.fromEntries(rows.map((row) => [row.medium, row.due_at]))
    },
    endQuietHours: async () => {
      await query('UPDATE held_notifications SET due_at = app_now() WHERE workspace_id = $1')
      await runSweeps(service)
    },
    announced,
    /** As if the task had been created just now. */
    announceAgain: async (taskId: string) => {
      await query(
        `INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body)
         VALUES ('dlv_' || $2, $1, 'evt_' || $2, 'service/task_created', $2, 'notice', $2)`,
        taskId,
      )
      await runSweeps(service)
      await announced()
    },
    direct: () => inSlack().slice(earlier.direct),
    mails: () =>
      mail.mails
        .slice(earlier.mails)
        .filter(({ to, text }) => to.includes(mara.email) && !/\/invitation|Slack user/.test(text)),
    deliveries: async (taskId: string) =>
      (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries,
  }
}

test('what happened to a task that the person has in Slack is in its thread after quiet hours', async () => {
  const { workspace, mara, send, becomesQuiet, held, endQuietHours, direct, mails, deliveries } =
    await setUp()
  const taskId = await send()
  await expect.poll(direct).toHaveLength(1)
  await expect.poll(mails).toHaveLength(1)
  await becomesQuiet()
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
  await expect.poll(held).toHaveLength(2)
  await endQuietHours()
  await expect.poll(direct).toHaveLength(2)
  expect(textOf(direct()[1]!.blocks)).toContain('Assigned to you')
  expect(direct()[1]!.threadTs).toBe(direct()[0]!.ts)
  await expect
    .poll(async () =>
      (await deliveries(taskId)).map(({ kind, to, eventType }: Record<string, string>) => ({
        kind,
        to,
        eventType,
      })),
    )
    .toEqual(expect.arrayContaining([{ kind: 'slack', to: mara.email, eventType: 'service/task_updated' }]))
})

test('someone who is mentioned hears of it after quiet hours even if they may not answer, without a text that was not written to them', async () => {
  const { workspace, send, mention, becomesQuiet, held, endQuietHours, direct, mails } = await setUp()
  await becomesQuiet()
  const taskId = await send(
    { review: { by: [workspace.ownerEmail] } },
    { description: 'The parcel is lost.' },
  )
  await mention(taskId)
  await expect.poll(held).toHaveLength(2)
  await endQuietHours()
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]!.plain).toMatch(/^You were mentioned in a note\n/)
  expect(mails()[0]!.plain).not.toContain('The parcel is lost.')
  await expect.poll(direct).toHaveLength(1)
})

test('a mention in a task that has ended is sent after quiet hours, besides the list of those that wait', async () => {
  const { workspace, mara, send, mention, becomesQuiet, announced, endQuietHours, direct, mails } =
    await setUp()
  await becomesQuiet()
  const [ended, endedLater] = [await send({}, { name: 'Ended' }), await send({}, { name: 'Ended later' })]
  await workspace.owner.post(`/tasks/${ended}/mark-done`, { revision: 1 })
  for (const taskId of [ended, endedLater]) await mention(taskId)
  // An assignment is of no use once the task has ended.
  const assigned = await send({}, { name: 'Assigned and answered' })
  for (const taskId of [endedLater, assigned]) {
    await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
    await workspace.owner.post(`/tasks/${taskId}/mark-done`, { revision: 1 })
  }
  for (const name of ['One', 'Two']) await send({}, { name })
  await announced()
  await endQuietHours()
  const headings = () => mails().map(({ plain }) => plain.split('\n').slice(0, 2).join(': '))
  await expect
    .poll(() => headings().sort())
    .toEqual([
      'High priority: ',
      'You were mentioned in a note: Ended',
      'You were mentioned in a note: Ended later',
    ])
  const messages = () => direct().map(({ blocks }) => textOf(blocks).split('\n')[0])
  await expect
    .poll(() => messages().sort())
    .toEqual(['2 tasks are waiting', 'You were mentioned in a note', 'You were mentioned in a note'])
})

test('a task of the hourly email that is assigned during quiet hours is sent when they end', async () => {
  const { workspace, mara, send, becomesQuiet, held, heldUntil } = await setUp()
  await becomesQuiet(0.5)
  const taskId = await send({ priority: 'normal' })
  await expect.poll(held).toHaveLength(2)
  const before = await heldUntil()
  expect(before.mail!.getTime()).toBeGreaterThan(before.slack!.getTime())
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
  const after = await heldUntil()
  expect(after).toEqual({ mail: before.slack, slack: before.slack })
})

test('tasks that the person may no longer answer neither count nor hide the others', async () => {
  const { workspace, mara, becomesQuiet, held, endQuietHours, direct, mails } = await setUp()
  const { groupId } = (
    await workspace.owner.post('/groups', { slug: 'leads', name: 'Leads', members: [mara.email] })
  ).body
  await becomesQuiet()
  const forLeads = taskPayload({ priority: 'urgent', review: { by: ['group:leads'] } }, { name: 'For leads' })
  const forAll = ['One', 'Two'].map((name) => taskPayload({ priority: 'low' }, { name }))
  const tasks = [...Array.from({ length: 21 }, () => forLeads), ...forAll]
  expect((await workspace.agent.post('/tasks/batch', { tasks })).status).toBe(200)
  await expect.poll(held).toHaveLength(46)
  await workspace.owner.patch(`/groups/${groupId}`, { members: [] })
  await endQuietHours()
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]!.headers.subject).toMatch(/^2 tasks are waiting/)
  expect(mails()[0]!.plain).not.toContain('For leads')
  await expect
    .poll(() => direct().map(({ blocks }) => textOf(blocks).split('\n')[0]))
    .toEqual(['2 tasks are waiting'])
})

test('who received the key of a task after it was sent is not notified of it, because they may not answer', async () => {
  const { workspace, mara, becomesQuiet, held, endQuietHours, announceAgain, mails } = await setUp()
  const { members } = (await workspace.owner.get('/members')).body
  const { userId } = members.find(({ email }: { email: string }) => email === mara.email)
  await workspace.owner.patch(`/members/${userId}`, { role: 'admin' })
  const { keyId, key } = (await workspace.owner.post('/api-keys', { name: 'transfers' })).body
  const byKey = callAs(service.url, { 'x-api-key': key })
  await becomesQuiet()
  const others = [await workspace.person(), await workspace.person()].map(({ email }) => email)
  const review = { by: [mara.email, ...others], needed: 2 }
  const payload = taskPayload({ priority: 'low', review }, { name: 'Transfer' })
  const { taskId } = (await byKey.post('/tasks', payload)).body
  await byKey.post('/tasks', taskPayload({ priority: 'low' }, { name: 'Report' }))
  await expect.poll(held).toHaveLength(4)
  expect((await mara.post(`/api-keys/${keyId}/rotate`)).status).toBe(200)
  await endQuietHours()
  await expect.poll(mails).toHaveLength(1)
  expect(mails()[0]!.headers.subject).toMatch(/Report$/)
  await announceAgain(taskId)
  expect(await held()).toEqual([])
})

test('nothing is sent after quiet hours in a medium that the person has turned off meanwhile', async () => {
  const { mara, send, becomesQuiet, held, endQuietHours, mails, deliveries } = await setUp()
  await becomesQuiet()
  const taskId = await send()
  await expect.poll(held).toHaveLength(2)
  await mara.put('/notifications', choose({ mail: 'all' }))
  await endQuietHours()
  await expect.poll(mails).toHaveLength(1)
  await expect.poll(held).toEqual([])
  expect((await deliveries(taskId)).map(({ kind }: { kind: string }) => kind)).toEqual(['mail'])
})

test('who has heard of a new task, or will after quiet hours, is not notified of it once more', async () => {
  const { workspace, mara, send, becomesQuiet, held, announceAgain, direct, deliveries } = await setUp()
  const before = await send()
  await expect.poll(direct).toHaveLength(1)
  await announceAgain(before)
  expect(await deliveries(before)).toHaveLength(2)
  await becomesQuiet()
  const taskId = await send()
  await expect.poll(held).toHaveLength(2)
  await workspace.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
  await announceAgain(taskId)
  const assigned = { label: 'Assigned to you', reason: 'changed' }
  expect(await held()).toEqual([assigned, assigned])
})
