import { request } from 'node:https'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { setUpToken } from '../../src/server/domain/workspaces/set-up.ts'
import { type Caller, callAs } from '../support/http.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { connectMcpClient } from '../support/mcp-client.ts'
import { openMcpSession, postMcp } from '../support/mcp-session.ts'
import { locationBlock, type Nginx, serverBlock, startNginx } from '../support/nginx.ts'
import { connectSdkClient } from '../support/oauth-client.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

let nginx: Nginx
const checksCertificates = process.env.NODE_TLS_REJECT_UNAUTHORIZED
beforeAll(async () => {
  // fetch of Node 20 has no other way to accept a self-signed certificate. Nothing here leaves this
  // machine.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  nginx = await startNginx()
})
afterAll(async () => {
  if (checksCertificates === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = checksCertificates
  await nginx.stop()
})

describe('with TLS at the root of a host', () => {
  let service: TestService
  let url: string
  let owner: Caller
  let agent: Caller
  let cookie: string
  let workspaceId: string
  let apiKey: string
  let setCookie: string
  beforeAll(async () => {
    service = await startService({
      PUBLIC_URL: nginx.root.url,
      PORT: String(nginx.root.port),
      TRUST_PROXY: '1',
      SIGN_IN_LIMIT: '2',
    })
    url = service.url
    // As with the setup link.
    const created = await callAs(url, { origin: url }).post('/setup', {
      token: setUpToken(service.app.service.secrets.authSecret),
      workspace: 'Acme',
      name: 'Olga Owner',
      email: 'olga@example.com',
      password: testPassword,
    })
    expect(created.status).toBe(201)
    workspaceId = created.body.workspaceId
    setCookie = created.headers.getSetCookie()[0]!
    cookie = setCookie.split(';')[0]!
    owner = callAs(url, { cookie, origin: url })
    apiKey = (await owner.post('/api-keys', { name: 'Agents' })).body.key
    agent = callAs(url, { 'x-api-key': apiKey })
  })
  afterAll(() => service.stop())

  const createTask = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await agent.post('/tasks', taskPayload(more))).body.taskId
  const handle = (taskId: string) => owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })

  test('the cookie is bound to host and TLS, and changes require our origin', async () => {
    expect(setCookie).toMatch(/^__Host-handrail\.session_token=/)
    for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax'])
      expect(setCookie.split('; ')).toContain(attribute)
    expect((await owner.get('/me')).status).toBe(200)
    const elsewhere = callAs(url, { cookie, origin: 'https://evil.example' })
    expect((await elsewhere.post('/api-keys', { name: 'Stolen' })).status).toBe(403)
    expect((await callAs(url, { cookie }).post('/api-keys', { name: 'Stolen' })).status).toBe(403)
    const page = await fetch(url)
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('an event arrives on an open inbox stream', async () => {
    const inbox = await openInboxReader({ url, workspaceId, cookie })
    const taskId = await createTask()
    expect((await inbox.first(1))[0]!.event).toMatchObject({ type: 'service/task_created', taskId })
    expect(inbox.isOpen()).toBe(true)
    await inbox.close()
  })

  test('an MCP client of protocol 2025-11-25 receives its push on the GET stream', async () => {
    const session = await openMcpSession(url, apiKey)
    const stream = await session.stream()
    const sent = await session.call('send_to_human', taskPayload({ delivery: 'sse' }))
    await handle(sent.structuredContent.taskId)
    const [first] = await stream.first(1)
    expect(first!.message.params.data).toMatchObject({
      taskId: sent.structuredContent.taskId,
      status: 'handled',
    })
    expect(stream.isOpen()).toBe(true)
    await stream.close()
  })

  test('an MCP client of protocol 2026-07-28 subscribes to its task', async () => {
    const client = await connectMcpClient(url, apiKey, { versionNegotiation: { mode: 'auto' } })
    const notified: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      notified.push(params.uri)
    })
    const taskId = await createTask()
    await client.listen({ resourceSubscriptions: [`task://${taskId}`] })
    await handle(taskId)
    await vi.waitFor(() => expect(notified).toEqual([`task://${taskId}`]), waitOptions)
    await client.close()
  })

  test('waits are held, and both nginx configurations allow more time than the longest wait', async () => {
    const taskId = await createTask()
    const [held] = await Promise.all([agent.get(`/tasks/${taskId}?waitSeconds=50`), handle(taskId)])
    expect(held.body.status).toBe('handled')
    const open = await agent.get(`/tasks/${await createTask()}?waitSeconds=1`)
    expect(open.body.status).toBe('open')
    // test/chaos/outage-long-waits.test.ts waits for the whole time.
    for (const block of [serverBlock, locationBlock])
      expect(Number(/proxy_read_timeout (\d+)s;/.exec(block)![1])).toBeGreaterThan(55)
  })

  test('a body that is too large gets the service’s own response', async () => {
    const answer = await agent.send('POST', '/tasks', 'x'.repeat(1024 * 1024 + 1))
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large'])
  })

  /** Sends a request from another loopback address with a forged X-Forwarded-For header. */
  function sendFrom(
    address: string,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ) {
    const text = JSON.stringify(body)
    return new Promise<number>((resolve, reject) => {
      request(
        `${url}${path}`,
        {
          method,
          localAddress: address,
          ca: nginx.certificate,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            'x-forwarded-for': '203.0.113.9',
            origin: url,
            ...headers,
          },
        },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode!))
        },
      )
        .on('error', reject)
        .end(text)
    })
  }

  test('limits and audit use the caller’s address, not a forged header', async () => {
    const attempt = (address: string, number: number) =>
      sendFrom(
        address,
        'POST',
        '/api/auth/sign-in/email',
        { email: `nobody-${number}@example.com`, password: 'wrong wrong wrong' },
        { 'x-forwarded-for': `203.0.113.${number}` },
      )
    // Eight per minute per address.
    for (let number = 1; number <= 8; number++) expect(await attempt('127.0.0.8', number)).toBe(401)
    expect(await attempt('127.0.0.8', 9)).toBe(429)
    expect(await attempt('127.0.0.9', 10)).toBe(401)

    expect(await sendFrom('127.0.0.9', 'POST', '/api/v1/api-keys', { name: 'From nine' }, { cookie })).toBe(
      201,
    )
    const { body } = await owner.get('/audit?limit=1')
    expect(body.entries[0]).toMatchObject({ from: '127.0.0.9' })
  })
})

describe('below a path', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService({
      PUBLIC_URL: nginx.path.url,
      PORT: String(nginx.path.port),
      TRUST_PROXY: '1',
    })
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  test('the page and all its assets load', async () => {
    const page = await (await fetch(service.url)).text()
    const named = [...page.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(1)
    for (const path of named) {
      expect(path).toMatch(/^\/handrail\//)
      const file = await fetch(new URL(path, service.url))
      await file.arrayBuffer()
      expect(file.status, path).toBe(200)
    }
  })

  test('an app connects with OAuth: the proxy passes the documents at the root of the host', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    const { client } = await connectSdkClient(service.url, async (authorizationUrl) => {
      expect(authorizationUrl.href).toMatch(`${nginx.path.url}/authorize?`)
      const query = authorizationUrl.search.slice(1)
      const decided = await acme.owner.post('/authorizations', { query, workspaceId: acme.workspaceId })
      return new URL(decided.body.redirectTo)
    })
    const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
    expect(created.isError).toBeUndefined()
    await client.close()
  })

  test('API, sign-in, MCP, live inbox and links work', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const { body } = await acme.agent.get(`/tasks/${taskId}`)
    expect(body.url).toBe(`${nginx.path.url}/w/${acme.workspaceId}/inbox/${taskId}`)
    expect((await fetch(body.url)).status).toBe(200)
    const { link } = (await acme.owner.post('/invitations', { email: 'new@example.com' })).body
    expect(link).toMatch(`${nginx.path.url}/invitation#`)
    const inbox = await openInboxReader({
      url: service.url,
      workspaceId: acme.workspaceId,
      cookie: acme.owner.cookie,
    })
    const session = await openMcpSession(service.url, acme.apiKey)
    const stream = await session.stream()
    const sent = await session.call('send_to_human', taskPayload({ delivery: 'sse' }))
    await acme.owner.post(`/tasks/${sent.structuredContent.taskId}/handle`, { actionId: 'approve' })
    await stream.first(1)
    await inbox.first(2)
    await stream.close()
    await inbox.close()
    expect((await postMcp(new URL(service.url).origin, {}, {})).status).toBe(404)
  })
})
