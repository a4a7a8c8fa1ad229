import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callAs } from '../support/http.ts'
import { startMailServer } from '../support/mail-server.ts'
import { choose } from '../support/notifications.ts'
import { startReceiver } from '../support/receiver.ts'
import { asOwner } from '../support/rows.ts'
import {
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { passTime } from '../support/sweeps.ts'

let service: TestService
let mail: Awaited<ReturnType<typeof startMailServer>>
let channel: Awaited<ReturnType<typeof startReceiver>>
let workspace: TestWorkspace
let mara: Awaited<ReturnType<TestWorkspace['person']>>
let ben: typeof mara

beforeAll(async () => {
  mail = await startMailServer((to) => (to.startsWith('refused') ? '550 no such box\0' : undefined))
  channel = await startReceiver()
  service = await startService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'handrail@example.com',
    CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
  })
  workspace = await service.workspace('Acme')
  mara = await workspace.person()
  ben = await workspace.person()
})
beforeEach(async () => {
  const people = [workspace.owner, mara, ben]
  await Promise.all(people.map((person) => person.put('/notifications', choose({}))))
  await workspace.owner.delete('/notifications/chat')
  mail.mails.length = 0
})
afterAll(async () => {
  await service.stop()
  await mail.stop()
  await channel.stop()
})

/** Without the invitation and the report of a sign-in. */
const mailsTo = (email: string) =>
  mail.mails.filter(({ to, text }) => to.includes(email) && !/\/invitation|New sign-in/.test(text))
const send = (workspace: TestWorkspace, more: object = {}, task: object = {}) =>
  workspace.agent.post('/tasks', taskPayload({ priority: 'high', ...more }, { ...task }))

test('a person who subscribed to urgent tasks gets an email with a link, and none for other tasks', async () => {
  const chosen = await workspace.owner.put('/notifications', choose({ mail: ['urgent', 'assigned'] }))
  expect(chosen.body.mail).toEqual({ available: true, wants: ['urgent', 'assigned'] })
  await send(workspace, { priority: 'high' }, { name: 'Not worth a mail' })
  const { body } = await send(workspace, { priority: 'urgent' }, { name: 'Stop the  press' })
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
  const { headers, plain } = mailsTo(workspace.ownerEmail)[0]!
  expect(headers).toMatchObject({ subject: '[Acme] Stop the press', importance: 'High' })
  expect(plain).toMatch(/^Urgent\nStop the press\n/)
  expect(plain).toContain(`/w/${workspace.workspaceId}/inbox/${body.taskId}`)
})

test('a task assigned to a person notifies them, whatever its priority', async () => {
  await mara.put('/notifications', choose({ mail: ['assigned'] }))
  await send(workspace, { priority: 'urgent' }, { name: 'For anyone' })
  await send(workspace, { priority: 'low', assignTo: mara.email }, { name: 'For Mara' })
  await expect.poll(() => mailsTo(mara.email)).toHaveLength(1)
  expect(mailsTo(mara.email)[0]!.text).toContain('For Mara')
})

test('nothing is mailed to an unverified address; after verification all chosen emails are', async () => {
  const setVerified = (verified: boolean) =>
    asOwner(service.databaseUrl, (client) =>
      client.query('UPDATE users SET email_verified = $1 WHERE email = $2', [verified, mara.email]),
    )
  await setVerified(false)
  const chosen = await mara.put('/notifications', choose({ mail: 'all' }))
  expect(chosen).toMatchObject({ status: 200, body: { mail: { wants: expect.arrayContaining(['low']) } } })
  expect(await mara.post('/notifications/mail/test')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('not verified') },
  })
  await workspace.owner.put('/notifications', choose({ mail: 'all' }))
  const { taskId } = (await send(workspace, { assignTo: mara.email }, { name: 'A secret' })).body
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
  const { deliveries } = (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body
  expect(deliveries).toMatchObject([{ kind: 'mail', to: workspace.ownerEmail }])
  await setVerified(true)
  await send(workspace, {}, { name: 'From now on' })
  await expect.poll(() => mailsTo(mara.email)).toHaveLength(1)
  expect(mailsTo(mara.email)[0]!.text).toContain('From now on')
})

test('a channel receives new tasks; text by an agent cannot mention people or forge links', async () => {
  const set = await workspace.owner.put('/notifications/chat', {
    url: `${channel.url}/T1/secret`,
    for: 'high',
  })
  expect(set.body.chat).toEqual({ host: new URL(channel.url).host, for: 'high' })
  expect(JSON.stringify(set.body)).not.toContain('secret')
  const name = 'Look <!channel> & <https://evil.example|here> @all [here](//evil.example) \u202epay'
  const { body } = await send(workspace, { priority: 'high' }, { name })
  await channel.calls(1)
  const { body: text, headers, path } = channel.received[0]!
  expect(path).toBe('/T1/secret')
  expect(headers['webhook-signature']).toBeUndefined()
  expect(JSON.parse(text).text).toContain(
    'Look &lt;!channel&gt; &amp; &lt;https[:]//evil.example¦here&gt; ＠all [here] (//evil.example) pay>',
  )
  expect(JSON.parse(text).text).toContain(`/inbox/${body.taskId}|`)
  const log = async () => (await workspace.owner.get(`/deliveries?taskId=${body.taskId}`)).body.deliveries
  await expect.poll(log).toMatchObject([{ kind: 'chat', state: 'delivered', attemptCount: 1 }])
  expect(JSON.stringify(await log())).not.toContain('secret')
})

test('a channel learns of tasks that are handed to a group, of reminders and of escalations, not of what concerns one person', async () => {
  await workspace.owner.post('/groups', { slug: 'leads', name: 'Leads', members: [mara.email] })
  const url = `${channel.url}/team`
  await workspace.owner.put('/notifications/chat', { url, for: 'high' })
  await workspace.owner.post('/policies', {
    type: 'payment',
    remindAfterMinutes: 10,
    escalate: [{ afterMinutes: 20, to: 'group:leads' }],
  })
  const { taskId } = (await send(workspace, { priority: 'high' }, { type: 'payment', name: 'Pay?' })).body
  const quiet = (await send(workspace, { priority: 'low' }, { type: 'payment', name: 'Quiet' })).body.taskId
  for (const to of [mara.email, 'group:leads']) {
    expect((await workspace.owner.post(`/tasks/${taskId}/assign`, { to })).status).toBe(200)
    expect((await workspace.owner.post(`/tasks/${quiet}/assign`, { to })).status).toBe(200)
  }
  await workspace.owner.post(`/tasks/${taskId}/notes`, { text: `@${mara.email} look` })
  const posted = () =>
    channel.received
      .filter(({ path }) => path === '/team')
      .map(({ body }) => (JSON.parse(body).text as string).split(' · ')[0])
      // Deliveries are sent at the same time.
      .sort()
  await expect.poll(posted).toEqual(['*Assigned to group:leads*', '*High*'])
  await passTime(service, '25 minutes')
  await expect
    .poll(posted)
    .toEqual(['*Assigned to group:leads*', '*Escalated to group:leads*', '*High*', '*Reminder*'])
  expect(JSON.stringify(channel.received)).not.toContain('Quiet')
})

/** What mail programs turn into a link. */
const linkable = /\w+:\/\/\S+|\b[\w-]+\.\p{L}{2,}\S*|[^\s[]@\S+/gu

test('in an email only our links are clickable, and no character reverses the text', async () => {
  await workspace.owner.put('/notifications', choose({ mail: 'all' }))
  const description =
    'Sign in at https://evil.example/in, www.evil.example, evil.example or a@evil.example <img src=x onerror=alert(1)>'
  await send(workspace, {}, { name: 'Pay \u202e001 at http://evil.example', description })
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
  const { headers, plain, html } = mailsTo(workspace.ownerEmail)[0]!
  expect(headers.subject).toBe('[Acme] Pay 001 at http[:]//evil.example')
  const ours = [`/w/${workspace.workspaceId}/inbox/`, '/unsubscribe/'].map((path) =>
    expect.stringContaining(service.url + path),
  )
  expect(plain.match(linkable)).toEqual(ours)
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(ours)
  // Nothing else in it is a link, an element of the agent, or a resource to fetch.
  expect(html.replace(/<(style|title)>.*?<\/\1>|<[a-z/!][^<>]*>/gs, ' ')).not.toMatch(linkable)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).not.toMatch(/<(img|script|link|iframe|object|svg)|<[^>]* src=|url\(/i)
})

test('a channel URL echoed in a response does not appear in the log', async () => {
  const echo = await startReceiver(({ path }, response) => response.writeHead(404).end(`Cannot POST ${path}`))
  await workspace.owner.put('/notifications/chat', {
    url: `${echo.url}/hooks/s3cret-part?key=k3y`,
    for: 'all',
  })
  const { deliveryId } = (await workspace.owner.post('/notifications/chat/test')).body
  const attempts = async () => (await workspace.owner.get(`/deliveries/${deliveryId}`)).body.attempts
  await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0)
  expect((await attempts())[0]).toMatchObject({
    status: 404,
    responseBody: expect.stringContaining('Cannot POST'),
  })
  expect(JSON.stringify(await attempts())).not.toMatch(/s3cret|k3y/)
  await echo.stop()
})

test('a rejected email is retried and appears in the task’s log', async () => {
  const token = await workspace.mailedToken('refused@example.com')
  await callAs(service.url, {}).post('/invitations/accept', { token, name: 'Rex', password: testPassword })
  const rex = await signedIn(service.url, 'refused@example.com', workspace.workspaceId)
  await rex.put('/notifications', choose({ mail: 'all' }))
  const { body } = await send(workspace)
  await expect
    .poll(async () => (await workspace.owner.get(`/deliveries?taskId=${body.taskId}`)).body.deliveries)
    .toMatchObject([
      {
        kind: 'mail',
        to: 'refused@example.com',
        state: 'pending',
        attempts: expect.arrayContaining([
          expect.objectContaining({ status: 550, error: expect.stringContaining('no such box') }),
        ]),
      },
    ])
  await rex.put('/notifications', choose({}))
})

test('nobody is notified of a new task that has ended or after leaving the workspace', async () => {
  const noah = await workspace.person()
  await noah.put('/notifications', choose({ mail: 'all' }))
  const members = (await workspace.owner.get('/members')).body.members
  const { userId } = members.find(({ email }: { email: string }) => email === noah.email)
  await workspace.owner.delete(`/members/${userId}`)
  await workspace.owner.put('/notifications', choose({ mail: 'all' }))
  const { body } = await send(workspace, {}, { name: 'After he left' })
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
  expect(mailsTo(noah.email)).toEqual([])
  await workspace.owner.post(`/tasks/${body.taskId}/handle`, { actionId: 'approve' })
  const sent = async () => (await workspace.owner.get(`/deliveries?taskId=${body.taskId}`)).body.deliveries[0]
  await expect.poll(async () => (await sent()).state).toBe('delivered')
  await workspace.owner.post(`/deliveries/${(await sent()).deliveryId}/redeliver`)
  await expect
    .poll(async () => (await sent()).attempts.at(-1).error)
    .toBe('Not sent: the task has ended or was deleted.')
  expect(mailsTo(workspace.ownerEmail)).toHaveLength(1)
})

test('a test email and a test message are delivered like real ones', async () => {
  const workspace = await service.workspace('Küche & Co')
  expect((await workspace.owner.post('/notifications/chat/test')).status).toBe(404)
  await workspace.owner.put('/notifications/chat', { url: `${channel.url}/test`, for: 'all' })
  const before = channel.received.length
  expect((await workspace.owner.post('/notifications/chat/test')).status).toBe(202)
  expect((await workspace.owner.post('/notifications/mail/test')).status).toBe(202)
  await channel.calls(before + 1)
  expect(channel.received.at(-1)!.body).toContain('Küche &amp; Co')
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
})

test('a channel URL must be public, and one workspace receives nothing of another', async () => {
  const refused = await workspace.owner.put('/notifications/chat', { url: 'http://10.0.0.1/x', for: 'all' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'url' }] } })
  const other = await service.workspace()
  await other.owner.put('/notifications', choose({ mail: 'all' }))
  await send(workspace, { priority: 'urgent' })
  await send(other, {}, { name: 'Ours' })
  await expect.poll(() => mailsTo(other.ownerEmail)).toHaveLength(1)
  expect(mailsTo(other.ownerEmail)[0]!.text).toContain('Ours')
})

test('emails about normal and low tasks come once per hour, together, without those that have ended', async () => {
  const workspace = await service.workspace('Cellar')
  await workspace.owner.put('/notifications', choose({ mail: 'all' }))
  const mara = await workspace.person()
  await mara.put('/notifications', choose({ mail: ['normal'] }))
  for (const name of ['First', 'Answered meanwhile']) await send(workspace, { priority: 'normal' }, { name })
  await send(workspace, { priority: 'normal', assignTo: mara.email }, { name: 'Second' })
  const { tasks } = (await workspace.owner.get('/tasks')).body
  const answered = tasks.find(({ name }: { name: string }) => name === 'Answered meanwhile')
  await workspace.owner.post(`/tasks/${answered.taskId}/handle`, { actionId: 'approve' })
  await send(workspace, { priority: 'high' }, { name: 'At once' })
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(1)
  expect(mailsTo(workspace.ownerEmail)[0]!.text).toContain('At once')
  await passTime(service, '61 minutes')
  await expect.poll(() => mailsTo(workspace.ownerEmail)).toHaveLength(2)
  const { text } = mailsTo(workspace.ownerEmail)[1]!
  expect(text).toContain('Subject: 2 tasks are waiting in Cellar')
  expect(text).toContain('First')
  expect(text).toContain('Second')
  expect(text).not.toContain('Answered meanwhile')
  // Without the choice "assigned", a task that is assigned to her is like any other.
  await expect.poll(() => mailsTo(mara.email)).toHaveLength(1)
  expect(mailsTo(mara.email)[0]!.text).toContain('Subject: 2 tasks are waiting in Cellar')
})

test('people who may not answer a task do not hear of it', async () => {
  for (const person of [mara, ben]) await person.put('/notifications', choose({ mail: 'all' }))
  await send(workspace, { review: { by: [mara.email] } }, { name: 'For Mara only' })
  await send(workspace, {}, { name: 'For both' })
  await expect.poll(() => mailsTo(mara.email)).toHaveLength(2)
  await expect.poll(() => mailsTo(ben.email)).toHaveLength(1)
  expect(mailsTo(ben.email)[0]!.text).toContain('For both')
})
