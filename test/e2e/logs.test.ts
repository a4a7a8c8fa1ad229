import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setUpToken } from '../../src/server/domain/workspaces/set-up.ts'
import { createSubscription } from '../support/fake-push-service.ts'
import { connectToSlack, type FakeSlack, startFakeSlack } from '../support/fake-slack.ts'
import { callAs } from '../support/http.ts'
import { agentAt, type Node, personAt, startNodes, stopNodes } from '../support/nodes.ts'
import { startService, type TestService, taskPayload, testPassword, testSecrets } from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let slack: FakeSlack
let nodes: Node[] = []
beforeAll(async () => {
  slack = await startFakeSlack()
  service = await startService({ SLACK_API_URL: slack.url })
  // With an owner, no setup link is printed, which would contain a secret on purpose.
  await service.workspace()
  nodes = await startNodes(service.databaseUrl, 1, { LOG_LEVEL: 'trace', SLACK_API_URL: slack.url })
})
afterAll(async () => {
  await stopNodes(nodes)
  await service.stop()
  await slack.stop()
})

test('no secret appears in the logs, at any level', async () => {
  const { url } = nodes[0]!
  const acme = await service.workspace()
  const owner = personAt(url, acme, acme.owner)
  const created = (await owner.post('/api-keys', { name: 'agent' })).body
  const invitation = (await owner.post('/invitations', { email: 'new@example.com' })).body
  const token = new URL(invitation.link).hash.slice(1)
  const password = 'a password nobody should read'
  const signIn = (body: object) =>
    fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    })

  const agent = agentAt(url, { apiKey: created.key })
  const { taskId } = (await agent.post('/tasks', taskPayload({}, { name: 'Payload of a task' }))).body
  expect(taskId).toMatch(/^tsk_/)
  expect((await agent.get(`/tasks/${taskId}?api_key=${created.key}`)).status).toBe(400)
  expect((await callAs(url, { 'x-api-key': `${created.key.slice(0, -1)}!` }).get('/me')).status).toBe(401)
  expect((await callAs(url, { authorization: `Basic ${created.key}` }).get('/me')).status).toBe(401)
  expect((await signIn({ email: acme.ownerEmail, password: `wrong: ${password}` })).status).toBe(401)
  expect((await signIn({ email: acme.ownerEmail, password: [password] })).status).toBe(400)
  const accept = { token, name: 'New Person', password }
  expect((await callAs(url, {}).post('/invitations/accept', accept)).status).toBe(200)
  const signedIn = await signIn({ email: 'new@example.com', password })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await callAs(url, { cookie }).get('/me')).status).toBe(200)
  await callAs(url, {}).post('/setup', { ...accept, token: setUpToken(testSecrets.AUTH_SECRET) })
  const { subscription } = createSubscription('https://fcm.googleapis.com/fcm/send/secret-endpoint')
  expect((await owner.post('/notifications/push/browsers', subscription)).status).toBe(201)
  await agent.send('POST', '/tasks', `{"password":"${password}"`)
  const unsubscribeToken = `${acme.workspaceId}.usr_x.signature-of-a-link`
  for (const method of ['GET', 'POST']) await fetch(`${url}/unsubscribe/${unsubscribeToken}`, { method })

  const logged = () => nodes[0]!.output() + nodes[0]!.errors()
  await vi.waitFor(() => expect(logged()).toContain('/unsubscribe/{token}'), waitOptions)
  for (const secret of [
    created.key.slice(8),
    token,
    password,
    decodeURIComponent(cookie.split('=')[1]!).split('.')[0]!,
    cookie.split('=')[1]!,
    acme.webhookSecret.slice(6),
    'secret-endpoint',
    subscription.keys.auth,
    setUpToken(testSecrets.AUTH_SECRET),
    ...Object.values(testSecrets),
    'Payload of a task',
    'signature-of-a-link',
  ]) {
    expect(logged()).not.toContain(secret)
  }
})

test('nothing that Slack sends or gets appears in the logs, and no secret of its app', async () => {
  const { url } = nodes[0]!
  const acme = await service.workspace()
  const owner = { ...personAt(url, acme, acme.owner), cookie: acme.owner.cookie }
  const app = await connectToSlack(url, { ...acme, owner })
  const channel = { channelId: 'C00000001', name: '#tasks', for: 'all' }
  expect((await owner.put('/slack/channels', { channels: [channel] })).status).toBe(200)
  const code = (await owner.post('/notifications/slack/code')).body.command.split(' ').at(-1)
  expect((await app.command('U1', `link ${code}`)).body.text).toContain('is now linked')
  const texts = { name: 'Payload of a task', description: 'Text of a task', feedback: 'Why it is wrong' }
  const { name, description, feedback } = texts
  const { taskId } = (await agentAt(url, acme).post('/tasks', taskPayload({}, { name, description }))).body
  const message = await vi.waitUntil(() => slack.inChannel(channel.channelId)[0], waitOptions)
  expect((await app.click('U1', message, 'Reject…')).status).toBe(200)
  const forged = { 'x-slack-signature': `v0=${'0'.repeat(64)}` }
  expect((await app.send(app.clickBody('U1', message, 'Approve'), forged)).status).toBe(401)
  await app.submit('U1', slack.viewsOf().at(-1), { feedback: { value: feedback } })
  expect((await owner.get(`/tasks/${taskId}`)).body.handled.data).toEqual({ feedback })
  const logged = () => nodes[0]!.output() + nodes[0]!.errors()
  await expect.poll(logged).toContain(`/slack/${acme.workspaceId}/interactions`)
  const secrets = [app.secret, app.botToken, code, code.replaceAll('-', '')]
  for (const text of [...Object.values(texts), ...secrets]) expect(logged()).not.toContain(text)
})

test('a sign-in attempt, a failed confirmation and a sign-out are logged with source, account and outcome, without an email address', async () => {
  const { url } = nodes[0]!
  const acme = await service.workspace()
  const { userId } = (await acme.owner.get('/me')).body.person
  const signIn = (email: string, password: string) =>
    fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    })
  const session = await signIn(acme.ownerEmail, testPassword)
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .join('; ')
  const owner = callAs(url, { cookie, origin: url, 'handrail-workspace': acme.workspaceId })
  expect((await owner.post('/webhooks/secret/reveal', { password: 'a guess' })).status).toBe(400)
  const signedOut = await fetch(`${url}/api/auth/sign-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: '{}',
  })
  expect(signedOut.status).toBe(200)
  await signIn(acme.ownerEmail, 'a guess')
  await signIn('unknown-account@example.com', 'a guess')
  type Line = { msg?: string; account?: string; from: string; outcome: string }
  const lines = () =>
    nodes[0]!
      .errors()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line))
      .filter(({ account, outcome }) => account === userId || outcome === 'unknown account')
  await vi.waitFor(() => expect(lines()).toHaveLength(5), waitOptions)
  expect(lines().map(({ msg, account, from, outcome }) => ({ msg, account, from, outcome }))).toEqual(
    expect.arrayContaining([
      { msg: 'sign-in', account: userId, from: '127.0.0.1', outcome: 'signed in' },
      { msg: 'confirmation', account: userId, from: '127.0.0.1', outcome: 'wrong password' },
      { msg: 'sign-out', account: userId, from: '127.0.0.1', outcome: 'signed out' },
      { msg: 'sign-in', account: userId, from: '127.0.0.1', outcome: 'wrong password' },
      { msg: 'sign-in', account: undefined, from: '127.0.0.1', outcome: 'unknown account' },
    ]),
  )
  expect(nodes[0]!.errors()).not.toContain('unknown-account@example.com')
})

test('a request is logged once with its id, route, caller and outcome', async () => {
  const { url } = nodes[0]!
  const acme = await service.workspace()
  const { headers } = await agentAt(url, acme).get('/tasks?app=books')
  const requestId = headers.get('x-request-id')!
  const lines = await vi.waitFor(() => {
    const found = nodes[0]!
      .errors()
      .split('\n')
      .filter((line) => line.includes(requestId))
    expect(found).not.toEqual([])
    return found
  }, waitOptions)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      requestId,
      method: 'GET',
      path: '/api/v1/tasks',
      status: 200,
      ms: expect.any(Number),
      actor: expect.stringMatching(/^key_/),
      workspaceId: acme.workspaceId,
      msg: 'request',
    },
  ])
})
