import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { problemStatus } from '../../src/contract/problem.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { callAs, type TestResponse } from '../support/http.ts'
import { asOwner } from '../support/rows.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

describe('every error is a problem document', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  function expectProblem({ status, body, headers }: TestResponse, code: keyof typeof problemStatus): void {
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({
      type: `urn:handrail:problem:${code}`,
      title: expect.stringMatching(/\S/),
      status,
      code,
      detail: expect.stringMatching(/\S.*\.$/),
      requestId: headers.get('x-request-id'),
    })
    expect(status).toBe(problemStatus[code])
    expect(headers.get('cache-control')).toBe('no-store')
    if (code === 'invalid_request') {
      expect(body.errors.length).toBeGreaterThan(0)
      for (const error of body.errors)
        expect(error).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) })
    }
  }

  test('with a code and the id of the request', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ idempotencyKey: 'once' }))).body
    expectProblem(await acme.agent.post('/tasks', {}), 'invalid_request')
    expectProblem(await callAs(service.url, {}).get('/tasks'), 'unauthenticated')
    expectProblem(await acme.agent.post(`/tasks/${taskId}/mark-done`), 'forbidden')
    expectProblem(await acme.agent.get('/tasks/tsk_0123456789abcdefghjkmnpqrs'), 'not_found')
    expectProblem(
      await acme.agent.post('/tasks', taskPayload({ idempotencyKey: 'once', priority: 'low' })),
      'idempotency_conflict',
    )
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const late = await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'm' })
    expectProblem(late, 'task_not_open')
    expect(late.body).toMatchObject({
      taskStatus: 'handled',
      handledBy: acme.ownerEmail,
      handledAt: expect.stringMatching(/Z$/),
      actionId: 'service:mark-done',
    })
    expectProblem(await acme.agent.send('POST', '/tasks', 'x'.repeat(1024 * 1024 + 1)), 'payload_too_large')
  })

  test('that say what to send instead, as tool results do', async () => {
    const { task, actions } = taskPayload()
    const refused = await acme.agent.post('/tasks', { task, options: actions, context: { order: 1 } })
    expectProblem(refused, 'invalid_request')
    expect(refused.body.errors).toEqual([
      { path: 'context.order', message: 'Unknown field. Move "order" into "context.data".' },
      { path: 'options', message: 'Unknown field. Rename "options" to "actions".' },
    ])
    const listed = await acme.agent.get('/tasks?created_after=2026-11-15&status=canceled')
    expect(listed.body.errors).toEqual([
      {
        path: 'status',
        message: 'Must be one of "open", "handled", "cancelled", "expired". Did you mean "cancelled"?',
      },
      { path: 'created_after', message: 'Unknown field. Rename "created_after" to "createdAfter".' },
    ])
  })

  test('unknown routes and methods are 404', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', ''],
      ['POST', '/me'],
      ['PUT', '/tasks'],
      ['DELETE', '/tasks'],
      ['GET', '/tasks/tsk_0123456789abcdefghjkmnpqrs/nothing'],
      ['GET', '/../v2/tasks'],
      ['GET', '/../nothing'],
    ] as const) {
      const answer = await acme.agent.send(method, path)
      expectProblem(answer, 'not_found')
      expect(answer.body.detail).toMatch(
        new RegExp(`^Route ${method} /api/.* not found\\. See /docs for all routes\\.$`),
      )
    }
    for (const [method, path] of [
      ['POST', '/inbox'],
      ['POST', '/health'],
      ['DELETE', '/docs'],
      ['GET', '/assets/nothing.js'],
      ['GET', '/assets/..%2findex.html'],
      ['GET', '/metrics'],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, { method })
      const { status, headers } = response
      expectProblem({ status, headers, body: await response.json() }, 'not_found')
    }
  })

  test('an answer that names its person is rejected in the session of someone else', async () => {
    const mara = await acme.person('member', 'Mara')
    const idOf = async (person: typeof mara) => (await person.get('/me')).body.person.userId
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const answer = { actionId: 'approve' }
    const asMara = { 'handrail-person': await idOf(mara) }
    expectProblem(await acme.owner.post(`/tasks/${taskId}/handle`, answer, asMara), 'unauthenticated')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
    expect((await mara.post(`/tasks/${taskId}/handle`, answer, asMara)).status).toBe(200)
  })

  test('each request has a unique id', async () => {
    const ids = await Promise.all(
      ['/health', '/docs', '/', '/api/v1/me', '/api/v1/openapi.json'].map(async (path) => {
        const response = await fetch(`${service.url}${path}`, { headers: { 'x-request-id': 'chosen' } })
        await response.arrayBuffer()
        return response.headers.get('x-request-id')
      }),
    )
    for (const id of ids) expect(id).toMatch(/^req_[\w-]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('an internal error reveals no internals', async () => {
    const broken = await startService()
    try {
      const { owner, agent } = await broken.workspace()
      const { taskId } = (await agent.post('/tasks', taskPayload())).body
      await asOwner(broken.databaseUrl, (client) => client.query('DROP TABLE drafts CASCADE'))
      const answer = await owner.get(`/tasks/${taskId}/drafts`)
      expectProblem(answer, 'internal')
      expect(JSON.stringify(answer.body)).not.toMatch(/drafts|relation|select|\.ts|node_modules/i)
    } finally {
      await broken.stop()
    }
  })

  test('while the database is unavailable the response is 503 with Retry-After, and its cause is logged; afterwards requests succeed', async () => {
    const database = await createMigratedDatabase()
    const proxy = await startDatabaseProxy(database.url)
    const service = await startService({ DATABASE_URL: proxy.url })
    try {
      const { agent } = await service.workspace()
      expect((await agent.get('/tasks')).status).toBe(200)
      const warn = vi.spyOn(service.app.service.log, 'warn')
      await proxy.cut()
      const response = await agent.get('/tasks')
      expectProblem(response, 'unavailable')
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      const { requestId } = response.body
      expect(warn).toHaveBeenCalledWith({ err: expect.any(Error), requestId }, expect.any(String))
      expect((await fetch(`${service.url}/health`)).status).toBe(503)
      await proxy.restore()
      await vi.waitFor(async () => expect((await agent.get('/tasks')).status).toBe(200), waitOptions)
      await expect.poll(async () => (await fetch(`${service.url}/health`)).status).toBe(200)
    } finally {
      await service.stop()
      await proxy.cut()
      await database.drop()
    }
  })
})

describe('the content security policy allows only what the service serves', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  const paths = [
    '/',
    '/inbox',
    '/sign-in',
    '/w/wsp_0123456789abcdefghjkmnpqrs/inbox',
    '/docs',
    '/health',
    '/api/v1/openapi.json',
    '/api/v1/me',
    '/docs/style.css',
    '/api/auth/get-session',
  ]

  test.each(paths)('%s', async (path) => {
    const { headers, body } = await fetch(`${service.url}${path}`)
    await body?.cancel()
    const policy = new Map(
      headers
        .get('content-security-policy')!
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)] as const),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'"])
    // Pages may load pictures from other hosts, but only when a person clicks.
    expect([undefined, "'self'", "'self' data:", "'self' data: https:"]).toContain(
      policy.get('img-src')?.join(' '),
    )
    policy.delete('img-src')
    expect([...policy.values()].flat().join(' ')).not.toMatch(/unsafe|\*|http:|https:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })

  test('every page has a new nonce for styles and is not cached', async () => {
    const nonces = new Set<string>()
    for (let time = 0; time < 3; time++) {
      const response = await fetch(service.url)
      const nonce = /style-src 'self' 'nonce-([\w+/=]{20,})'/.exec(
        response.headers.get('content-security-policy')!,
      )![1]!
      expect(await response.text()).toContain(nonce)
      expect(response.headers.get('cache-control')).toBe('no-store')
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  test('a preflight request from another site gets no permission', async () => {
    const response = await fetch(`${service.url}/api/v1/tasks`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    await response.arrayBuffer()
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })
})
