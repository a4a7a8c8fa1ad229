import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  buttonTexts,
  connectToSlack,
  type FakeSlack,
  signAsSlack,
  startFakeSlack,
  textOf,
} from '../support/fake-slack.ts'
import { startMailServer } from '../support/mail-server.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { signedIn, startService, type TestService, taskPayload } from '../support/service.ts'
import { connectedWorkspace, linkedWorkspace } from '../support/slack-workspace.ts'
import { runSweeps } from '../support/sweeps.ts'

let service: TestService
let slack: FakeSlack
let mail: Awaited<ReturnType<typeof startMailServer>>
let linked: Awaited<ReturnType<typeof linkedWorkspace>>
let other: Awaited<ReturnType<typeof connectedWorkspace>>
beforeAll(async () => {
  slack = await startFakeSlack()
  mail = await startMailServer()
  service = await startService({
    SLACK_API_URL: slack.url,
    SMTP_URL: mail.url,
    MAIL_FROM: 'handrail@example.com',
  })
  linked = await linkedWorkspace(service, slack)
  other = await connectedWorkspace(service, slack)
})
beforeEach(() => {
  slack.calls.length = 0
})
afterAll(async () => {
  await service.stop()
  await slack.stop()
  await mail.stop()
  expect(slack.problems).toEqual([])
})
const setUp = () => connectedWorkspace(service, slack)

/** Another workspace, whose member has not linked a Slack user. */
async function unlinked() {
  await other.mara.delete('/notifications/slack')
  return other
}

test('a forged, old or changed request, or one signed with the secret of another workspace, gets 401 and decides nothing', async () => {
  const { app, userId, posted, status } = linked
  const { taskId, message } = await posted()
  const body = app.clickBody(userId, message, 'Approve')
  const now = Math.floor(Date.now() / 1000)
  const signed = (secret: string, at: number, text = body) => ({
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': signAsSlack(secret, at, text),
  })
  const refusals = [
    signed('0'.repeat(32), now),
    signed(other.app.secret, now),
    signed(app.secret, now - 310),
    signed(app.secret, now + 400),
    signed(app.secret, now, `${body}&a=b`),
    { 'x-slack-signature': '' },
    { 'x-slack-request-timestamp': 'soon' },
  ]
  const texts = new Set<unknown>()
  for (const headers of refusals) {
    const response = await app.send(body, headers)
    expect(response.status).toBe(401)
    texts.add(response.body)
  }
  const unknown = await fetch(app.url.replace(/wsp_\w+/, `wsp_${'0'.repeat(26)}`), {
    method: 'POST',
    headers: signed(app.secret, now),
    body,
  })
  expect(unknown.status).toBe(401)
  texts.add(await unknown.text())
  expect(texts.size).toBe(1)
  expect(await status(taskId)).toBe('open')
  expect(slack.explanationsTo(userId)).toEqual([])
})

test('a replayed click decides nothing a second time', async () => {
  const { app, userId, posted, workspace } = linked
  const { taskId, message } = await posted()
  const body = app.clickBody(userId, message, 'Approve')
  expect((await app.send(body)).status).toBe(200)
  const first = (await workspace.owner.get(`/tasks/${taskId}`)).body
  expect((await app.send(body)).status).toBe(200)
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('This task ended on')
  expect((await workspace.owner.get(`/tasks/${taskId}`)).body).toEqual(first)
})

test('a GET, a preview fetcher and a body that is too large decide nothing', async () => {
  const { app, userId, posted, status } = linked
  const { taskId, message } = await posted()
  const link = message.blocks.at(-1)!.elements.at(-1).url
  for (const url of [app.url, link, `${app.url}?${app.clickBody(userId, message, 'Approve')}`])
    expect((await fetch(url, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })).status).toBe(200)
  expect((await app.send(`payload=${'x'.repeat(300_000)}`)).status).toBe(413)
  for (const body of ['', 'payload=', 'payload=%7B%7D', 'payload=null', 'payload=%5B%5D', 'a=b'])
    expect((await app.send(body)).status).toBe(200)
  expect(await status(taskId)).toBe('open')
})

test('who is not linked, was removed, signed out everywhere, comes from another team or unlinked gets an explanation, and nothing is recorded', async () => {
  const { workspace, app, userId, mara, posted, status } = await setUp()
  const { taskId, message } = await posted()
  const explained = (user: string, text: string) =>
    expect.poll(() => slack.explanationsTo(user).join()).toContain(text)
  await app.click(`${userId}9`, message, 'Approve')
  await explained(`${userId}9`, 'is not linked to a member')
  await app.link(mara, userId)
  await app.click(userId, message, 'Approve', 'T2')
  await explained(userId, 'Only members of the connected Slack workspace')
  await mara.delete('/notifications/slack')
  await app.click(userId, message, 'Approve')
  await explained(userId, 'is not linked to a member')
  const otto = await workspace.person()
  const { userId: id } = (await otto.get('/me')).body.person
  await app.link(otto, `${userId}7`)
  await fetch(`${service.url}/api/auth/revoke-sessions`, {
    method: 'POST',
    headers: { origin: service.url, cookie: otto.cookie },
  })
  await app.click(`${userId}7`, message, 'Approve')
  await explained(`${userId}7`, 'is not linked to a member')
  const { entries } = (await workspace.owner.get(`/audit?subject=${id}&action=slack.user_unlinked`)).body
  expect(entries).toMatchObject([{ actor: id, details: { reason: 'sessions ended' } }])
  await app.link(await signedIn(service.url, otto.email, workspace.workspaceId), `${userId}8`)
  await workspace.owner.delete(`/members/${id}`)
  await app.click(`${userId}8`, message, 'Approve')
  await explained(`${userId}8`, 'is not linked to a member')
  expect(await status(taskId)).toBe('open')
})

test('who may not answer a task, may not answer it in Slack either', async () => {
  const { workspace, app, userId, posted, status } = linked
  const otto = await workspace.person()
  const { taskId, message } = await posted(taskPayload({ review: { by: [otto.email] } }))
  await app.click(userId, message, 'Approve')
  await expect
    .poll(() => slack.explanationsTo(userId).join())
    .toContain(`Only ${otto.email} may answer this task`)
  // Nobody fills in a form for nothing.
  const opened = slack.viewsOf().length
  for (const button of ['Decline…', 'Reject…']) await app.click(userId, message, button)
  await expect.poll(() => slack.explanationsTo(userId)).toHaveLength(3)
  expect(slack.viewsOf()).toHaveLength(opened)
  expect(await status(taskId)).toBe('open')
})

test('tasks whose policy says so, and workspaces that require two-factor, have no buttons, and earlier buttons do nothing', async () => {
  const { workspace, app, userId, posted, status } = linked
  const { taskId, message } = await posted()
  const before = structuredClone(message)
  const { policyId } = (await workspace.owner.post('/policies', { type: 'refund-approval', linkOnly: true }))
    .body
  await app.click(userId, before, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('cannot be answered in Slack')
  expect(buttonTexts((await posted()).message)).toEqual(['Open in Handrail'])
  await workspace.owner.delete(`/policies/${policyId}`)
  await asOwner(service.databaseUrl, (client) =>
    client.query('UPDATE workspaces SET requires_two_factor = true WHERE id = $1', [workspace.workspaceId]),
  )
  await app.click(userId, before, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId)).toHaveLength(2)
  await asOwner(service.databaseUrl, (client) =>
    client.query('UPDATE workspaces SET requires_two_factor = false WHERE id = $1', [workspace.workspaceId]),
  )
  expect(await status(taskId)).toBe('open')
})

test('a click after the deadline shows that it has passed', async () => {
  const { app, userId, posted, status } = linked
  const { taskId, message } = await posted(taskPayload({ expiresInSeconds: 60 }))
  const before = structuredClone(message)
  await moveClock(service.databaseUrl, '61 seconds')
  await app.click(userId, before, 'Approve')
  await expect
    .poll(() => slack.explanationsTo(userId).join())
    .toContain('Nobody answered before the deadline.')
  expect(await status(taskId)).toBe('expired')
  await runSweeps(service)
  await expect.poll(() => textOf(message.blocks)).toContain('Nobody answered before the deadline.')
})

test('a code links once, for ten minutes, and only who sent it; wrong codes are limited', async () => {
  const { app, userId, mara, workspace } = await setUp()
  const code = async () => (await mara.post('/notifications/slack/code')).body.command.split(' ').at(-1)
  const first = await code()
  const second = await code()
  expect((await app.command(userId, `link ${first}`)).body.text).toContain(
    'wrong, was used already or has expired',
  )
  expect((await app.command(userId, `link ${second.toLowerCase().replaceAll('-', '')}`)).body).toMatchObject({
    response_type: 'ephemeral',
    text: expect.stringContaining('is now linked to'),
  })
  expect((await app.command(`${userId}1`, `link ${second}`)).body.text).toContain('was used already')
  const third = await code()
  await moveClock(service.databaseUrl, '11 minutes')
  expect((await app.command(`${userId}2`, `link ${third}`)).body.text).toContain('has expired')
  // While Slack does not respond, no code is checked, so none counts as wrong.
  for (let n = 0; n < 5; n++) {
    slack.respondOnce('users.info', { body: { ok: false, error: 'internal_error' } })
    expect((await app.command(`${userId}3`, 'link AAAA-BBBB-CC')).body.text).toContain('Nothing was linked.')
  }
  for (let n = 0; n < 5; n++)
    expect((await app.command(`${userId}3`, `link AAAA-BBBB-${n}${n}`)).body.text).toContain('is wrong')
  const good = await code()
  expect((await app.command(`${userId}3`, `link ${good}`)).body.text).toContain('Too many wrong codes')
  // The limit is of that Slack user only.
  expect((await app.command(`${userId}4`, `link ${good}`)).body.text).toContain('is now linked')
  expect((await app.command(userId, 'help')).body.text).toContain('choose Link my Slack user')
  const { entries } = (await workspace.owner.get('/audit?action=slack.user_linked')).body
  expect(entries).toMatchObject([
    { details: { slackUserId: `${userId}4` } },
    { details: { slackUserId: userId } },
  ])
  expect(JSON.stringify(entries)).not.toContain(good)
})

test('a Slack user who was linked to another member is moved by a code', async () => {
  const { app, userId, mara, workspace, posted } = await unlinked()
  const otto = await workspace.person()
  await app.link(mara, userId)
  await app.link(otto, userId)
  expect((await mara.get('/notifications')).body.slack.linkedTo).toBeUndefined()
  const { taskId, message } = await posted()
  await app.click(userId, message, 'Approve')
  expect((await workspace.owner.get(`/tasks/${taskId}`)).body.handled.handledBy).toBe(otto.email)
})

test('a guest, a stranger, a bot and a Slack user who was deleted or is of another team cannot be linked', async () => {
  const { app, userId, mara } = await unlinked()
  const { command } = (await mara.post('/notifications/slack/code')).body
  const others = [
    { is_restricted: true },
    { is_ultra_restricted: true },
    { is_stranger: true },
    { is_bot: true },
    { deleted: true },
    { team_id: 'T2' },
  ]
  // Attempts are limited per Slack user.
  for (const [n, other] of others.entries()) {
    slack.users.set(`${userId}${n}`, other)
    const { body } = await app.command(`${userId}${n}`, command.replace('/handrail ', ''))
    expect(body.text, JSON.stringify(other)).toContain('Only full members')
  }
  expect((await mara.get('/notifications')).body.slack.linkedTo).toBeUndefined()
})

test('a code of one workspace links nothing in another, and a command of another team nothing at all', async () => {
  const { mara, userId, app } = await unlinked()
  const { command } = (await mara.post('/notifications/slack/code')).body
  const text = command.replace('/handrail ', '')
  expect((await linked.app.command(userId, text)).body.text).toContain('Nothing was linked')
  expect((await app.command(userId, text, 'T2')).body.text).toContain('Nothing was linked')
  expect((await app.command(userId, text)).body.text).toContain('is now linked')
})

test('a button of one workspace decides nothing in another, also for someone who is a member of it', async () => {
  const { userId, posted, status } = linked
  await other.app.link(other.mara, userId)
  const { taskId, message } = await posted()
  await other.app.click(userId, message, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('no longer exists')
  expect(await status(taskId)).toBe('open')
})

test('another signing secret or another Slack workspace unlinks everybody, and disconnecting ends the endpoint', async () => {
  const { app, userId, mara, workspace, posted, status } = await setUp()
  await app.link(mara, userId)
  const { taskId, message } = await posted()
  expect((await workspace.owner.get('/slack')).body.linkedPeople).toBe(1)
  // Whoever has set another secret must not click in the name of people who have linked themselves before.
  await connectToSlack(service.url, workspace)
  expect((await workspace.owner.get('/slack')).body).toMatchObject({ linkedPeople: 0, channels: [{}] })
  const second = await connectToSlack(service.url, workspace, 'T2')
  const { body } = await workspace.owner.get('/slack')
  expect(body).toMatchObject({ linkedPeople: 0, channels: [], connection: { teamName: 'Team T2' } })
  expect((await app.click(userId, message, 'Approve')).status).toBe(401)
  await second.click(userId, message, 'Approve', 'T2')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('is not linked')
  expect((await workspace.owner.delete('/slack')).status).toBe(204)
  expect((await second.click(userId, message, 'Approve', 'T2')).status).toBe(401)
  expect((await mara.post('/notifications/slack/code')).status).toBe(409)
  expect(await status(taskId)).toBe('open')
})

test('a signature that cannot be checked in time is refused in time, and decides nothing', async () => {
  const { app, userId, workspace, posted, status } = linked
  const { taskId, message } = await posted()
  // Forgets what it knows, as a process that has just started.
  await workspace.owner.put('/slack', { botToken: app.botToken, signingSecret: app.secret })
  await asOwner(service.databaseUrl, async (client) => {
    await client.query('BEGIN')
    await client.query('LOCK TABLE slack_connections IN ACCESS EXCLUSIVE MODE')
    const startedAt = performance.now()
    expect((await app.click(userId, message, 'Approve')).status).toBe(503)
    // Slack waits three seconds. The service does not wait for the lock; a busy machine adds to its own limit.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await client.query('COMMIT')
  })
  expect(await status(taskId)).toBe('open')
})

test('an explanation goes to the URL that came with the click, if it leads to Slack', async () => {
  const { app, posted, ...member } = linked
  const userId = `${member.userId}5`
  const { message } = await posted()
  const click = async (responseUrl: string) => {
    const payload = JSON.parse(new URLSearchParams(app.clickBody(userId, message, 'Approve')).get('payload')!)
    const body = JSON.stringify({ ...payload, response_url: responseUrl })
    expect((await app.send(new URLSearchParams({ payload: body }).toString())).status).toBe(200)
  }
  await click(`${slack.url}/response-url`)
  const received = () => slack.calls.filter(({ method }) => method === 'response-url')
  await expect.poll(received).toHaveLength(1)
  expect(received()[0]).toMatchObject({
    token: 'undefined',
    input: { response_type: 'ephemeral', text: expect.stringContaining('not linked') },
  })
  expect(slack.explanationsTo(userId)).toEqual([])
  await click('http://127.0.0.1:1/elsewhere')
  await expect.poll(() => slack.explanationsTo(userId)).toHaveLength(1)
})

test('a link is reported by email to the person, and ends with their sessions', async () => {
  const { workspace, app, userId, mara } = await unlinked()
  const reports = () =>
    mail.mails.filter(({ to, plain }) => to.includes(mara.email) && plain.includes('linked a Slack user'))
  const earlier = reports().length
  await app.link(mara, userId)
  await expect.poll(reports).toHaveLength(earlier + 1)
  const { members } = (await workspace.owner.get('/members')).body
  const { userId: maraId } = members.find(({ email }: { email: string }) => email === mara.email)
  expect((await workspace.owner.delete(`/members/${maraId}/sessions`)).status).toBe(204)
  expect((await workspace.owner.get('/slack')).body.linkedPeople).toBe(0)
})

test('when a policy forbids it, earlier messages lose their buttons', async () => {
  const { workspace, posted } = linked
  const type = 'payment'
  const { message } = await posted(taskPayload({}, { type }))
  expect(buttonTexts(message)).toContain('Approve')
  expect((await workspace.owner.post('/policies', { type, linkOnly: true })).status).toBe(201)
  await expect.poll(() => buttonTexts(message)).toEqual(['Open in Handrail'])
})
